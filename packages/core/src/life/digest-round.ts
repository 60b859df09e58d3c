import { createHash } from 'node:crypto'
import { holdsLease, type Lease } from '../db/leases.ts'
import type { Looks } from '../plugins/life/follow.ts'
import type { Budget } from './budget.ts'
import type { StreamParts } from './follower.ts'
import type { KeptPosition } from './kept-position.ts'
import { nameOf } from './networks.ts'
import { shareOf } from './position.ts'
import { retryAfter } from './schedule.ts'
import { answerInTime } from './time-limit.ts'
import type { StreamPlace } from './transactions.ts'
import { claimComparisons, dropDigest, keepDigest, postponeComparison } from './watch-digests.ts'
import type { Watch } from './watches.ts'

/** Number of digests that are asked for together. */
const AT_ONCE = 500
/** Time for which a claimed row belongs to the process that claimed it, in milliseconds: longer than a reading may take. */
const ROW_MS = 60_000
const READ_MS = 45_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Time, in milliseconds, within which a later comparison joins the present one: rows of one round are not written in one moment. */
const SLACK_MS = 10 * MINUTE_MS
/** Number of rounds in a row in which a digest may be missing before the position is read whole: some hours. */
const MOST_FAILURES = 8

/** Makes what compares the digests of a network's positions; those that are others leave it to the sweep to read the positions whole. */
export function createDigestRound({ store, networks, now, clock, log }: StreamParts) {
  const options = { now: clock }

  /** @returns hashes of the digests by watch; without those that were not told */
  async function ask(rows: readonly Watch[], place: StreamPlace): Promise<ReadonlyMap<Watch, string>> {
    const byLooks = new Map<Looks | undefined, Watch[]>()
    for (const watch of rows) {
      const looks = networks.seenBy(watch.account, place)
      const group = byLooks.get(looks)
      if (group) group.push(watch)
      else byLooks.set(looks, [watch])
    }
    const answers = await Promise.all(
      [...byLooks].map(async ([looks, watches]) => {
        const digests = looks?.digests ? await digestsOf(looks.digests, watches, place) : new Map<string, string>()
        return watches.flatMap((watch) => {
          const digest = digests.get(watch.wallet)
          return typeof digest === 'string' ? [[watch, hashOf(digest)] as const] : []
        })
      }),
    )
    return new Map(answers.flat())
  }

  async function digestsOf(read: NonNullable<Looks['digests']>, watches: readonly Watch[], place: StreamPlace) {
    // One wallet may be watched for several accounts.
    const objects = new Map<string, Map<string, bigint | null>>()
    for (const { wallet, position } of watches) {
      const snapshot = position === null ? null : (JSON.parse(position) as KeptPosition)
      const contents = objects.get(wallet) ?? new Map<string, bigint | null>()
      objects.set(wallet, contents)
      for (const [id, { holds }] of Object.entries(snapshot?.objects ?? {})) contents.set(id, larger(contents.get(id), holds))
    }
    const positions = [...objects].map(([address, known]) => {
      const amounts = [...known].flatMap(([id, held]) => (held === null ? [] : [[id, held] as const]))
      return { address, objects: [...known.keys()], ...(amounts.length === 0 ? {} : { amounts: Object.fromEntries(amounts) }) }
    })
    try {
      return await answerInTime(READ_MS, read(positions))
    } catch (err) {
      log.warn({ err, ...place, positions: objects.size }, 'digests of watched positions could not be read; they are asked for again')
      return new Map<string, string>()
    }
  }

  /** Compares some of them. @returns how many; 0: none is to be compared, or the budget is used up */
  return async function compareSome(place: StreamPlace, lease: Lease, looks: Budget): Promise<number | 'lost'> {
    if (looks.take(1) === 0) return 0
    const rows = await store.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) return null
      return yield* claimComparisons(database, place, { most: AT_ONCE, leaseMs: ROW_MS, withinMs: SLACK_MS })
    }, options)
    if (rows === null || rows.length === 0) {
      looks.giveBack(1)
      return rows === null ? 'lost' : 0
    }
    const digests = await ask(rows, place)
    const at = now()
    const isHeld = await store.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) return false
      for (const watch of rows) {
        const digest = digests.get(watch)
        if (digest !== undefined && digest === watch.digest)
          yield* keepDigest(database, watch, untilNextRound(place, at, networks.seenBy(watch.account, place)?.digestMs))
        else if (digest === undefined && watch.failures < MOST_FAILURES)
          yield* postponeComparison(database, watch, retryAfter(watch.failures + 1, MINUTE_MS))
        else yield* dropDigest(database, watch)
      }
      return true
    }, options)
    return isHeld ? rows.length : 'lost'
  }
}

/**
 * Returns the larger of what is known of a unit; null: nothing is. nothing is. Of two accounts the one that has read it later knows of more rewards, and loses no more
 * by it than a reading.
 */
function larger(known: bigint | null | undefined, holds: string | undefined): bigint | null {
  if (holds === undefined) return known ?? null
  const units = BigInt(holds)
  return known == null || units > known ? units : known
}

/** Returns the hash that is kept of a digest: always of the same short length. */
export function hashOf(digest: string): string {
  return createHash('sha256').update(digest).digest('base64url')
}

/**
 * Milliseconds until a network's next round: for all of its wallets together, so that many are asked for in one call; of each network at another time.
 *
 * @param everyMs interval of the rounds
 */
export function untilRound(place: StreamPlace, at: Date, everyMs = DAY_MS): number {
  const since = (at.getTime() - shareOf(nameOf(place)) * everyMs) % everyMs
  return Math.ceil(everyMs - since)
}

/** Computes the milliseconds until the next round from within a round, which may have begun somewhat early. */
function untilNextRound(place: StreamPlace, at: Date, everyMs?: number): number {
  return SLACK_MS + untilRound(place, new Date(at.getTime() + SLACK_MS), everyMs)
}

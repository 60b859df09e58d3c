import { createHash } from 'node:crypto'
import type { Looks } from '@svc/contract'
import { holdsLease, type Lease } from '../db/leases.ts'
import type { Budget } from './budget.ts'
import type { StreamEnd, StreamParts } from './follower.ts'
import { nameOf } from './networks.ts'
import { type KeptPosition, shareOf } from './position.ts'
import { retryAfter } from './schedule.ts'
import type { StreamPlace } from './transactions.ts'
import { claimComparisons, dropDigest, keepDigest, postponeComparison } from './watch-digests.ts'
import type { Watch } from './watches.ts'
import { within } from './within.ts'

/** How many digests are asked for together. */
const AT_ONCE = 500
/** For how long a row is its finder's, in milliseconds: longer than a reading may take. */
const ROW_MS = 60_000
const READ_MS = 45_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** What is to be compared so soon goes with what is now, in milliseconds: rows of one round are not written in one moment. */
const SLACK_MS = 10 * MINUTE_MS
/** How often in a row a digest may not be told before the position is read whole: some hours. */
const MOST_FAILURES = 8

/** Compares the digests of a network's positions that are to be compared; those that are others leave it to the sweep to read the positions whole. */
export function createDigestRound({ store, networks, now, clock, log }: StreamParts) {
  const options = { now: clock }

  /** @returns hashes of the digests by watch; without those that were not told */
  async function ask(rows: readonly Watch[], place: StreamPlace): Promise<ReadonlyMap<Watch, string>> {
    const byLooks = new Map<Looks | undefined, Watch[]>()
    for (const watch of rows) {
      const looks = networks.seenBy(watch.account, place)
      const known = byLooks.get(looks)
      if (known) known.push(watch)
      else byLooks.set(looks, [watch])
    }
    const told = await Promise.all(
      [...byLooks].map(async ([looks, watches]) => {
        const digests = looks?.digests ? await digestsOf(looks.digests, watches, place) : new Map<string, string>()
        return watches.flatMap((watch) => {
          const digest = digests.get(watch.wallet)
          return typeof digest === 'string' ? [[watch, hashOf(digest)] as const] : []
        })
      }),
    )
    return new Map(told.flat())
  }

  async function digestsOf(read: NonNullable<Looks['digests']>, watches: readonly Watch[], place: StreamPlace) {
    // One wallet may be watched for several accounts.
    const objects = new Map<string, Set<string>>()
    for (const { wallet, position } of watches) {
      const kept = position === null ? null : (JSON.parse(position) as KeptPosition)
      objects.set(wallet, new Set([...(objects.get(wallet) ?? []), ...Object.keys(kept?.objects ?? {})]))
    }
    try {
      return await within(READ_MS, read([...objects].map(([address, ids]) => ({ address, objects: [...ids] }))))
    } catch (err) {
      log.warn({ err, ...place, positions: objects.size }, 'digests of watched positions could not be read; they are asked for again')
      return new Map<string, string>()
    }
  }

  return async function run(place: StreamPlace, lease: Lease, looks: Budget): Promise<Exclude<StreamEnd, 'failed'>> {
    for (;;) {
      if (looks.take(1) === 0) return 'later'
      const rows = await store.transact(function* (database) {
        if (!(yield* holdsLease(database, lease))) return null
        return yield* claimComparisons(database, place, { most: AT_ONCE, leaseMs: ROW_MS, withinMs: SLACK_MS })
      }, options)
      if (rows === null || rows.length === 0) {
        looks.giveBack(1)
        return rows === null ? 'lost' : 'done'
      }
      const digests = await ask(rows, place)
      const at = now()
      const held = await store.transact(function* (database) {
        if (!(yield* holdsLease(database, lease))) return false
        for (const watch of rows) {
          const digest = digests.get(watch)
          if (digest !== undefined && digest === watch.digest) yield* keepDigest(database, watch, untilNextRound(place, at))
          else if (digest === undefined && watch.failures < MOST_FAILURES)
            yield* postponeComparison(database, watch, retryAfter(watch.failures + 1, MINUTE_MS))
          else yield* dropDigest(database, watch)
        }
        return true
      }, options)
      if (!held) return 'lost'
      if (rows.length < AT_ONCE) return 'done'
    }
  }
}

/** What is kept of a digest: always as short. */
export function hashOf(digest: string): string {
  return createHash('sha256').update(digest).digest('base64url')
}

/**
 * Milliseconds until a network's next round: once a day, for all of its wallets together, so that many are asked for in one call; of each network at another
 * time.
 */
export function untilRound(place: StreamPlace, at: Date): number {
  const since = (at.getTime() - shareOf(nameOf(place)) * DAY_MS) % DAY_MS
  return Math.ceil(DAY_MS - since)
}

/** The same from within a round, which may have begun somewhat early. */
function untilNextRound(place: StreamPlace, at: Date): number {
  return SLACK_MS + untilRound(place, new Date(at.getTime() + SLACK_MS))
}

import type { Balance } from '@svc/contract'
import { holdsLease, type Lease } from '../db/leases.ts'
import type { Work, WorkDatabase } from '../db/work.ts'
import type { Looks } from '../plugins/life/follow.ts'
import { openAnnouncements, useUp } from './announcements.ts'
import { type Budget, SWEPT_AT_ONCE } from './budget.ts'
import { lastOf } from './claim.ts'
import { createDigestRound, hashOf, untilRound } from './digest-round.ts'
import type { Stream, StreamEnd, StreamParts } from './follower.ts'
import { judge } from './judge.ts'
import type { AnnouncedPower, KeptPosition } from './kept-position.ts'
import { nameOf } from './networks.ts'
import { areSilent, countsOf, failureOf, type Outcome } from './outcome.ts'
import { ownOn } from './own-addresses.ts'
import { type Beside, compare, isEmpty, isTellable, rewardsOf, shareOf } from './position.ts'
import { newsEvent, rewardsEvent, type Seen } from './position-events.ts'
import type { PositionNews } from './position-news.ts'
import { crossed, growsIn, thresholdsOf } from './rewards.ts'
import { retryAfter } from './schedule.ts'
import { answerInTime } from './time-limit.ts'
import { promisedSince, type StreamPlace } from './transactions.ts'
import { claimWatches, postponeWatch, type Reason, saveBase, savePosition, type Watch, type WatchKey, watchedAmong } from './watches.ts'

/** Number of positions of a network that are read at once, by reason. Most for the first reading: somebody who has just begun to use a wallet waits for it. */
const AT_ONCE: Readonly<Record<Reason, number>> = { first: 32, due: 8, sweep: SWEPT_AT_ONCE, reread: 8 }
/** Time for which a claimed row belongs to the process that claimed it, in milliseconds: longer than a reading may take. */
const ROW_MS = 60_000
const READ_MS = 45_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Longest time, in milliseconds, over which reads are spread after a moment at which many positions change, such as an epoch; at most a tenth of the time until that moment. */
const SPREAD_MS = 5 * MINUTE_MS
/** Intervals at which wallets are read of which no change is expected: wallets with a position (`SWEEP_MS`), and wallets that have nothing (`SWEEP_EMPTY_MS`). */
const SWEEP_MS = DAY_MS
const SWEEP_EMPTY_MS = 7 * DAY_MS
/**
 * Interval at which a position is read whole although its digest stays the same, in milliseconds. That finds changes which the digest does not cover, or which an endpoint hides.
 */
const REREAD_MS = 30 * DAY_MS
/** Shortest time between two readings from which the growth of rewards is computed, in milliseconds. */
const GROWTH_MS = 10 * MINUTE_MS

/** A position that was read. */
export interface PositionRead {
  readonly looks: Looks
  readonly balance: Balance
  readonly at: Date
}

/** Parts of this stream. */
export interface PositionParts extends StreamParts {
  /** Makes work that is saved in the same transaction as a position. */
  readonly positionRead: (database: WorkDatabase, key: WatchKey, reading: PositionRead) => Work<void>
}

/** A reading of a position that is ready to be saved. */
interface Reading {
  readonly balance: Balance
  readonly due: Date | null
  readonly beside: Beside
  readonly confirmedBy: number | null
}

/** Budgets for the readings of one network. */
export interface PositionBudgets {
  readonly looks: Budget
  readonly sweeps: Budget
  readonly rereads: Budget
  /** Readings that the search for changes from elsewhere may cause; one that has found a change is given back. */
  readonly stirred: Budget
}

/**
 * Reads the positions of a network that are due, before all others those that were never read: what is not known by then is no news later. Compares the digests of all of them at the interval of their protocol; and reads whole, as far as its budgets go, those whose
 * digest is another one, those that have none, and those that were not read for long.
 */
export function createPositionStream(parts: PositionParts, budgetsOf: (place: StreamPlace) => PositionBudgets): Stream {
  const { store, events, networks, now, clock, clocks, log, seen: note, positionRead } = parts
  const options = { now: clock }
  /** The account that had the last turn, by network. */
  const turns = new Map<string, string>()
  const compareSome = createDigestRound(parts)

  /** Reads one, and writes what it found. */
  async function read(watch: Watch, place: StreamPlace, lease: Lease): Promise<Outcome> {
    const looks = networks.seenBy(watch.account, place)
    if (!looks) {
      await store.transact((database) => postponeWatch(database, watch, DAY_MS), options)
      return 'ok'
    }
    const at = now()
    let reading: Reading | null
    try {
      reading = await answerInTime(READ_MS, readAndJudge(watch, looks, at))
    } catch (err) {
      log.info({ err, ...place, wallet: watch.wallet, failures: watch.failures + 1 }, 'a watched position could not be read')
      await store.transact((database) => postponeWatch(database, watch, retryAfter(watch.failures + 1, MINUTE_MS)), options)
      return failureOf(err)
    }
    const judged = reading
    if (judged === null) {
      const failures = watch.failures + 1
      log.warn(
        { ...place, wallet: watch.wallet, failures },
        'endpoints differ on who has power over a position, or on what it has lost; it is read again',
      )
      await store.transact((database) => postponeWatch(database, watch, retryAfter(failures, MINUTE_MS)), options)
      return 'ok'
    }
    await events.transact(function* (database) {
      if (yield* holdsLease(database, lease)) yield* settle(database, place, watch, looks, judged, at)
    })
    // What an endpoint makes up explains nothing and is seen by nobody else: only that uses the budget up.
    if (judged.confirmedBy !== null || judged.beside.promised.length > 0) budgetsOf(place).stirred.giveBack(1)
    return 'ok'
  }

  /** @returns null: no two endpoints say the same of what came from elsewhere @throws 502, 503, 504 */
  async function readAndJudge(watch: Watch, looks: Looks, at: Date): Promise<Reading | null> {
    const { balance, due } = await looks.position(watch.wallet)
    const before = keptOf(watch)
    const promised = async () => (before ? store.run((database) => promisedSince(database, watch, new Date(before.at))) : [])
    const ownAmong = (addresses: readonly string[]) => store.run((database) => watchedAmong(database, watch, addresses))
    const judged = await judge(looks, balance, {
      wallet: watch.wallet,
      before,
      at,
      chainTime: clocks.timeAt(watch.network, at),
      promised,
      ownAmong,
      announced: () => expectedOf(watch, at),
    })
    return judged && { ...judged, due }
  }

  /** Reads to whom the account expects powers over a wallet to go: its own addresses, and what it has announced. */
  async function expectedOf(watch: Watch, at: Date): Promise<readonly AnnouncedPower[]> {
    const [own, announcements] = await Promise.all([
      store.run((database) => ownOn(database, watch)),
      store.run((database) => openAnnouncements(database, watch, at), options),
    ])
    const addresses = new Set([...networks.ownAddresses(watch.account, watch), ...own])
    return [...[...addresses].map((holder) => ({ aspect: null, holder })), ...announcements]
  }

  function* settle(
    database: WorkDatabase,
    place: StreamPlace,
    watch: Watch,
    looks: Looks,
    { balance, due, beside, confirmedBy }: Reading,
    at: Date,
  ): Work<void> {
    const before = keptOf(watch)
    const chainTime = clocks.timeAt(watch.network, at)
    const { kept: snapshot, news } = compare(before, balance, at, chainTime, beside)
    // One that was taken back meanwhile: nothing is written, and the row is due again when its lease ends.
    if (!(yield* useUp(database, watch, expectedIn(news)))) return
    const rewards = rewardsOf(balance)
    const thresholds = rewards === null ? [] : yield* thresholdsOf(database, watch.account, watch.protocol)
    const rewarded = crossed(rewards, snapshot.told, thresholds, looks.decimals)
    const overdue = due !== null && due <= chainTime ? snapshot.overdue + 1 : 0
    const position: KeptPosition = {
      ...snapshot,
      told: rewarded.told,
      overdue,
      step: (before?.step ?? 0) + (news.length + rewarded.now.length > 0 ? 1 : 0),
    }
    const dues = [changeMs(watch, due, chainTime, overdue), growthMs(before, rewards, rewarded.next, at)].filter((ms) => ms !== null)
    const digest = looks.digests === null || balance.digest === undefined ? null : hashOf(balance.digest)
    const sweepMs = digest !== null ? REREAD_MS : isEmpty(balance) ? SWEEP_EMPTY_MS : SWEEP_MS
    const saved = yield* savePosition(database, watch, {
      position: JSON.stringify(position),
      dueMs: dues.length === 0 ? null : Math.min(...dues),
      digest,
      sweepMs: isTellable(balance) ? sweepMs + (shareOf(watch.id) * SWEEP_MS) / 8 : null,
      compareMs: isTellable(balance) && digest !== null ? untilRound(place, at, looks.digestMs) : null,
    })
    if (!saved) {
      if (before === null) yield* saveBase(database, watch, JSON.stringify({ ...position, told: snapshot.told, step: 0 }))
      return
    }
    yield* positionRead(database, watch, { looks, balance, at })
    const context: Seen = { watch, looks, step: position.step, at, before: before === null ? null : new Date(before.at), confirmedBy }
    const updates = news.map((each) => newsEvent(context, each))
    const claimable = rewards === null || rewarded.now.length === 0 ? [] : [rewardsEvent(context, rewards, rewarded.now)]
    yield* events.insert(database, [...updates, ...claimable])
  }

  /**
   * Reads some of what is to be read for a reason.
   *
   * @param budget of such readings, besides that of all
   * @returns how many; 0: there is none, or a budget is used up
   */
  async function readSome(
    reasons: readonly Reason[],
    place: StreamPlace,
    lease: Lease,
    looks: Budget,
    budget?: Budget,
  ): Promise<number | Exclude<StreamEnd, 'done'>> {
    const allowance = looks.take(Math.max(...reasons.map((reason) => AT_ONCE[reason])))
    const room = budget ? budget.take(allowance) : allowance
    looks.giveBack(allowance - room)
    if (room === 0) return 0
    const rows = await store.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) return null
      for (const reason of reasons) {
        const most = Math.min(room, AT_ONCE[reason])
        const watches = yield* claimWatches(database, place, { most, leaseMs: ROW_MS, after: turns.get(nameOf(place)) ?? '', reason })
        if (watches.length > 0) return watches
      }
      return []
    }, options)
    const unused = room - (rows?.length ?? 0)
    looks.giveBack(unused)
    budget?.giveBack(unused)
    if (rows === null) return 'lost'
    if (rows.length === 0) return 0
    turns.set(
      nameOf(place),
      lastOf(
        rows.map(({ account }) => account),
        turns.get(nameOf(place)) ?? '',
      ),
    )
    note('positions', place, { due: rows.map(({ dueAt, sweepAt }) => (budget ? sweepAt : dueAt)) })
    const outcomes = await Promise.all(rows.map((watch) => read(watch, place, lease)))
    note('positions', place, countsOf(outcomes))
    return areSilent(outcomes) ? 'failed' : rows.length
  }

  return {
    kind: 'positions',
    isDue(place, due) {
      const { looks, sweeps, rereads } = budgetsOf(place)
      const isNeeded = due.positions || due.digests || (due.sweeps && sweeps.left() > 0) || (due.rereads && rereads.left() > 0)
      return isNeeded && looks.left() > 0
    },
    async run(place, lease) {
      const { looks, sweeps, rereads } = budgetsOf(place)
      const steps: readonly (() => Promise<number | Exclude<StreamEnd, 'done'>>)[] = [
        () => readSome(['first', 'due'], place, lease, looks),
        () => compareSome(place, lease, looks),
        () => readSome(['sweep'], place, lease, looks, sweeps),
        () => readSome(['reread'], place, lease, looks, rereads),
      ]
      for (let at = 0; at < steps.length; ) {
        const outcome = await steps[at]?.()
        if (typeof outcome === 'string') return outcome
        // What was done took a while, in which somebody may have begun to use a wallet: that is read before all else.
        at = outcome === 0 ? at + 1 : 0
      }
      return 'done'
    },
  }
}

/** Announcements that news fit, each once. */
function expectedIn(news: readonly PositionNews[]): readonly AnnouncedPower[] {
  const byAspect = new Map(news.flatMap(({ tells }) => tells?.announced ?? []).map((each) => [each.aspect, each]))
  return [...byAspect.values()]
}

function keptOf({ position }: Watch): KeptPosition | null {
  return position === null ? null : (JSON.parse(position) as KeptPosition)
}

/** Computes the milliseconds until a change that is expected; one that was expected by now and is not there is looked for less and less often. */
function changeMs({ id }: Watch, due: Date | null, at: Date, overdue: number): number | null {
  if (due === null) return null
  if (overdue > 0) return retryAfter(overdue, MINUTE_MS)
  const ms = due.getTime() - at.getTime()
  return ms + shareOf(id) * Math.min(SPREAD_MS, ms / 10)
}

function growthMs(before: KeptPosition | null, rewards: bigint | null, next: bigint | null, at: Date): number | null {
  if (rewards === null || next === null) return null
  const agoMs = before === null ? 0 : at.getTime() - new Date(before.at).getTime()
  if (before?.rewards == null || agoMs < GROWTH_MS) return DAY_MS
  const ms = growsIn(next, rewards, { rewards: BigInt(before.rewards), agoMs })
  return ms === null ? null : Math.min(SWEEP_EMPTY_MS, Math.max(HOUR_MS, ms))
}

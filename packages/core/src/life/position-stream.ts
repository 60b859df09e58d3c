import { formatAmount, type Looks, type Position } from '@svc/contract'
import { holdsLease, type Lease } from '../db/leases.ts'
import type { Work, WorkDatabase } from '../db/work.ts'
import type { NewEvent } from '../webhooks/events.ts'
import type { Budget } from './budget.ts'
import { createDigestRound, hashOf, untilRound } from './digest-round.ts'
import type { Stream, StreamEnd, StreamParts } from './follower.ts'
import { compare, isEmpty, isTellable, type KeptPosition, type PositionNews, rewardsOf, shareOf } from './position.ts'
import { crossed, growsIn, thresholdsOf } from './rewards.ts'
import { retryAfter } from './schedule.ts'
import type { StreamPlace } from './transactions.ts'
import { claimWatches, postponeWatch, type Reason, savePosition, type Watch } from './watches.ts'
import { within } from './within.ts'

/** How many positions of a network are read at once. */
const AT_ONCE = 8
/** For how long a row is its finder's, in milliseconds: longer than a reading may take. */
const ROW_MS = 60_000
const READ_MS = 45_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** What changes at one moment for many, such as an epoch, is read within so long after it, and no later than by a tenth of the time until then. */
const SPREAD_MS = 5 * MINUTE_MS
/** How often a wallet is read of which nothing is expected, and one that has nothing. */
const SWEEP_MS = DAY_MS
const SWEEP_EMPTY_MS = 7 * DAY_MS
/** How often one is read whole whose digest stays the same: what the digest does not tell, or an endpoint hides in it, is found by then. */
const REREAD_MS = 30 * DAY_MS
/** Two readings tell how rewards grow when they are this far apart. */
const GROWTH_MS = 10 * MINUTE_MS

/** Budgets of a network. */
export interface PositionBudgets {
  readonly looks: Budget
  readonly sweeps: Budget
  readonly rereads: Budget
}

/**
 * Reads the positions of a network that are due; compares the digests of all of them once a day; and reads whole, as far as its budgets go, those whose
 * digest is another one, those that have none, and those that were not read for long.
 */
export function createPositionStream(parts: StreamParts, budgetsOf: (place: StreamPlace) => PositionBudgets): Stream {
  const { store, events, networks, now, clock, clocks, log, seen: note } = parts
  const options = { now: clock }
  const compareDigests = createDigestRound(parts)

  /** @returns whether the chain has answered */
  async function read(watch: Watch, place: StreamPlace, lease: Lease): Promise<boolean> {
    const looks = networks.seenBy(watch.account, place)
    if (!looks) {
      await store.transact((database) => postponeWatch(database, watch, DAY_MS), options)
      return true
    }
    let position: Position
    const at = now()
    try {
      position = await within(READ_MS, looks.position(watch.wallet))
    } catch (err) {
      log.info({ err, ...place, wallet: watch.wallet, failures: watch.failures + 1 }, 'a watched position could not be read')
      await store.transact((database) => postponeWatch(database, watch, retryAfter(watch.failures + 1, MINUTE_MS)), options)
      return false
    }
    await events.transact(function* (database) {
      if (yield* holdsLease(database, lease)) yield* settle(database, place, watch, looks, position, at)
    })
    return true
  }

  function* settle(
    database: WorkDatabase,
    place: StreamPlace,
    watch: Watch,
    looks: Looks,
    { balance, due }: Position,
    at: Date,
  ): Work<void> {
    const before = watch.position === null ? null : (JSON.parse(watch.position) as KeptPosition)
    const chainTime = clocks.timeAt(watch.network, at)
    const { kept, news } = compare(before, balance, at, chainTime)
    const rewards = rewardsOf(balance)
    const thresholds = rewards === null ? [] : yield* thresholdsOf(database, watch.account, watch.protocol)
    const rewarded = crossed(rewards, kept.told, thresholds, looks.decimals)
    const overdue = due !== null && due <= chainTime ? kept.overdue + 1 : 0
    const position: KeptPosition = {
      ...kept,
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
      compareMs: isTellable(balance) && digest !== null ? untilRound(place, at) : null,
    })
    if (!saved) return
    const told = news.map((each) => newsEvent(watch, looks, each, position.step, at))
    const claimable =
      rewards === null || rewarded.now.length === 0 ? [] : [rewardsEvent(watch, looks, rewards, rewarded.now, position.step, at)]
    yield* events.insert(database, [...told, ...claimable])
  }

  /** @param budget of such readings, besides that of all */
  async function readAll(reason: Reason, place: StreamPlace, lease: Lease, looks: Budget, budget?: Budget): Promise<StreamEnd> {
    for (;;) {
      const wanted = looks.take(AT_ONCE)
      const room = budget ? budget.take(wanted) : wanted
      looks.giveBack(wanted - room)
      if (room === 0) return 'later'
      const rows = await store.transact(function* (database) {
        if (!(yield* holdsLease(database, lease))) return null
        return yield* claimWatches(database, place, { most: room, leaseMs: ROW_MS, reason })
      }, options)
      const unused = room - (rows?.length ?? 0)
      looks.giveBack(unused)
      budget?.giveBack(unused)
      if (rows === null) return 'lost'
      if (rows.length === 0) return 'done'
      note('positions', place, { due: rows.map(({ dueAt, sweepAt }) => (reason === 'due' ? dueAt : sweepAt)) })
      const answered = await Promise.all(rows.map((watch) => read(watch, place, lease)))
      note('positions', place, { ok: answered.filter((each) => each).length, failed: answered.filter((each) => !each).length })
      if (answered.every((each) => !each)) return 'failed'
      if (rows.length < room) return 'done'
    }
  }

  return {
    kind: 'positions',
    async run(place, lease) {
      const { looks, sweeps, rereads } = budgetsOf(place)
      const steps: readonly (() => Promise<StreamEnd>)[] = [
        () => readAll('due', place, lease, looks),
        () => compareDigests(place, lease, looks),
        () => readAll('sweep', place, lease, looks, sweeps),
        () => readAll('reread', place, lease, looks, rereads),
      ]
      let last: StreamEnd = 'done'
      for (const step of steps) {
        const end = await step()
        if (end === 'lost' || end === 'failed') return end
        if (end === 'later') last = end
      }
      return last
    },
  }
}

/** Until a change that is expected; one that was expected by now and is not there is looked for less and less often. */
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

function newsEvent(watch: Watch, looks: Looks, { type, object, amount }: PositionNews, step: number, at: Date): NewEvent {
  const { account, protocol, wallet } = watch
  const data = {
    network: looks.caip2,
    protocol,
    wallet,
    object_id: object?.id ?? null,
    object_type: object?.type ?? null,
    amount: amount === null ? null : { amount: formatAmount(amount, looks.decimals), unit: looks.symbol },
    validator: object?.validator ?? null,
    withdrawable_at: object?.withdrawableAt ?? null,
    withdrawable_epoch: object?.withdrawableEpoch ?? null,
    step,
  }
  const known = type === 'position.active' ? null : object?.withdrawableAt
  const time = known && known < at ? known : at
  return {
    account,
    type,
    subject: `${looks.caip2} ${wallet}`,
    transition: `${protocol} ${object?.id ?? 'all'} step ${step}`,
    time,
    protocol,
    data,
  }
}

function rewardsEvent(
  { account, protocol, wallet }: Watch,
  looks: Looks,
  rewards: bigint,
  to: readonly string[],
  step: number,
  time: Date,
): NewEvent {
  const { caip2, decimals, symbol } = looks
  const amount = formatAmount(rewards, decimals)
  return {
    account,
    type: 'position.rewards_claimable',
    subject: `${caip2} ${wallet}`,
    transition: `${protocol} rewards step ${step}`,
    time,
    protocol,
    rewards: amount,
    to,
    data: { network: caip2, protocol, wallet, rewards: { amount, unit: symbol }, step },
  }
}

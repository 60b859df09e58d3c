import type { Earning, Flow, UnknownReason } from '@svc/contract/book'
import type { OwnersTransaction } from '@svc/kit-move'
import { readStakingEvent, type StakingEvent } from '../chain/events.ts'
import { readStake, type Stake } from '../chain/layouts.ts'
import { rewardOf, tokensOf } from '../chain/pool.ts'
import { follow, type Holdings, holdingsOf, isSame } from './changes.ts'
import { type Move, type Moves, moveShares, moveStakes, type Rules, UnknownFlow } from './moves.ts'
import type { RateOf, RatePlace } from './rates.ts'
import type { PositionState } from './state.ts'

/** An interval as it was followed. */
export interface Replay {
  readonly flows: readonly Flow[]
  /** Reason why the flows are not all known; null: they lead from one reading to the other, object by object. */
  readonly missing: UnknownReason | null
  readonly earning: Earning
}

/** A reward that no pool bounds: what it paid is compared with what the rates say. */
const UNBOUNDED = 2n ** 64n

/** Lists the pools and epochs whose rates an interval needs. */
export function placesOf(before: PositionState, after: PositionState, transactions: readonly OwnersTransaction[]): readonly RatePlace[] {
  const events = transactions.flatMap(eventsOf)
  const activations = [...before.stakes, ...after.stakes, ...events.flatMap((event) => ('activationEpoch' in event ? [event] : []))]
  const stakes = [...activations, ...transactions.flatMap(stakesIn)]
  const pools = new Set([...stakes, ...before.shares, ...after.shares, ...events].map(({ pool }) => pool))
  const epochs = new Set([before.epoch, ...transactions.map(({ epoch }) => epoch), after.epoch])
  return [
    ...stakes.map(({ pool, activationEpoch }) => ({ pool, epoch: activationEpoch })),
    ...[...pools].flatMap((pool) => [...epochs].map((epoch) => ({ pool, epoch }))),
  ].filter(({ epoch }) => epoch <= after.epoch)
}

/** Lists the stakes that a transaction has taken and left. */
function stakesIn({ changes }: OwnersTransaction): readonly Stake[] {
  return changes.flatMap(({ before, after }) => [before, after].flatMap((state) => readStake(state?.contents ?? undefined) ?? []))
}

/**
 * Follows a position from one reading to the other through the transactions between them. Each has to take what the one before it left, in the same version, so that a missing
 * transaction is noticed; what is left in the end has to be what was read. Rewards follow from the rates at the epochs in which something moved.
 */
export function replay(
  wallet: string,
  before: PositionState,
  after: PositionState,
  transactions: readonly OwnersTransaction[],
  rateOf: RateOf,
): Replay {
  const flows: Flow[] = []
  let growth = 0n
  let [epoch, now] = [before.epoch, holdingsOf(before)]
  const rules = rulesOf(rateOf)
  const pass = (until: bigint) => {
    const stakes = [...now.stakes.values()]
    growth += rules.rewardsOf(stakes, until) - rules.rewardsOf(stakes, epoch)
    const start = stakes.reduce(
      (sum, { activationEpoch, principal }) => (activationEpoch > epoch && activationEpoch <= until ? sum + principal : sum),
      0n,
    )
    if (start > 0n) flows.push({ ...ALONE, kind: 'activation', amount: start, from: 'pending', to: 'stake' })
    epoch = until
  }
  try {
    for (const transaction of transactions) {
      if (transaction.epoch < epoch || transaction.epoch > after.epoch) throw new UnknownFlow('endpoint_disagrees')
      pass(transaction.epoch)
      const step = follow(transaction.changes, wallet, now)
      if (typeof step === 'string') throw new UnknownFlow(step)
      now = step.left
      const scene = { events: eventsOf(transaction), epoch: transaction.epoch, isOwn: transaction.sender === wallet }
      if (scene.events.some((event) => 'staker' in event && event.staker !== transaction.sender))
        throw new UnknownFlow('endpoint_disagrees')
      const moves: Moves = [...moveStakes(step.stakes, scene, rules), ...moveShares(step.shares, scene, rules)]
      flows.push(...moves.flatMap((move) => flowOf(move, transaction)))
    }
    pass(after.epoch)
    if (!isSameAs(now, after)) throw new UnknownFlow('flow_missing')
    return { flows, missing: null, earning: { least: growth, most: growth } }
  } catch (error) {
    if (!(error instanceof UnknownFlow)) throw error
    return { flows: [], missing: error.reason, earning: { unknown: 'claims_not_known' } }
  }
}

/** A movement without a transaction: the beginning of an epoch. */
const ALONE = { height: null, time: null, tx: null, index: null, exact: true } as const

function flowOf({ kind, amount, from, to }: Move, { digest, checkpoint, time }: OwnersTransaction): readonly Flow[] {
  return amount === 0n ? [] : [{ kind, amount, from, to, height: checkpoint, time, tx: digest, index: null, exact: true }]
}

function isSameAs({ stakes, shares }: Holdings, position: PositionState): boolean {
  const after = holdingsOf(position)
  return isSame(stakes, after.stakes) && isSame(shares, after.shares)
}

/** Events of staking of a transaction. @throws RangeError for one of another layout */
function eventsOf({ events }: OwnersTransaction): readonly StakingEvent[] {
  return events.flatMap(({ type, contents }) => readStakingEvent(type, contents) ?? [])
}

/** Arithmetic of the chain at the rates that were read. @throws UnknownFlow for a rate that was not */
function rulesOf(read: RateOf): Rules {
  const rateOf = (pool: string, epoch: bigint) => {
    const rate = read(pool, epoch)
    if (rate === null) throw new UnknownFlow('not_declared')
    return rate
  }
  const rewardAt = ({ pool, activationEpoch, principal }: Omit<Stake, 'id'>, epoch: bigint) =>
    activationEpoch > epoch ? 0n : rewardOf(principal, rateOf(pool, activationEpoch), rateOf(pool, epoch), UNBOUNDED)
  return {
    rateOf,
    rewardAt,
    rewardsOf: (stakes, epoch) => stakes.reduce((sum, stake) => sum + rewardAt(stake, epoch), 0n),
    tokensAt: ({ pool, activationEpoch, principal }) => tokensOf(rateOf(pool, activationEpoch), principal),
  }
}

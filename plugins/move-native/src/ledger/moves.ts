import type { FlowKind, Place, UnknownReason } from '@svc/contract/book'
import type { StakingEvent } from '../chain/events.ts'
import type { Rate, Stake } from '../chain/layouts.ts'
import { suiOf } from '../chain/pool.ts'
import type { Step } from './changes.ts'

/** Movement of units in a transaction; of nothing where the amount is 0. */
export interface Move {
  readonly kind: FlowKind
  readonly amount: bigint
  readonly from: Place
  readonly to: Place
}

export type Moves = readonly Move[]

/** Arithmetic of pools. Amounts in MIST, values in tokens of the pool. */
export interface Rules {
  rateOf(pool: string, epoch: bigint): Rate
  /** Reward of a stake as an epoch would pay it. */
  rewardAt(stake: Omit<Stake, 'id'>, epoch: bigint): bigint
  rewardsOf(stakes: readonly Stake[], epoch: bigint): bigint
  /** Tokens of its pool that a stake is. */
  tokensAt(stake: Omit<Stake, 'id'>): bigint
}

/** Circumstances of a transaction. */
interface Scene {
  readonly events: readonly StakingEvent[]
  readonly epoch: bigint
  /** True if the wallet sent it. */
  readonly isOwn: boolean
}

/** Something that an interval does not explain, and why. */
export class UnknownFlow extends Error {
  readonly reason: UnknownReason

  constructor(reason: UnknownReason) {
    super(reason)
    this.reason = reason
  }
}

type Unstaked = Extract<StakingEvent, { kind: 'unstaked' }>
type Converted = Extract<StakingEvent, { kind: 'converted' }>

/**
 * Makes movements of what a transaction did with the stakes of a wallet, each pool and activation epoch by itself. What objects have lost and gained has to be what events say,
 * and what others have gained and lost.
 *
 * @throws UnknownFlow
 */
export function moveStakes(stakes: Step['stakes'], scene: Scene, rules: Rules): Moves {
  if (stakes.before.length + stakes.after.length === 0) return []
  const all = [...stakes.before, ...stakes.after, ...stakes.othersBefore, ...stakes.othersAfter]
  const keys = new Set([...all, ...scene.events.flatMap((event) => ('activationEpoch' in event ? [event] : []))].map(keyOf))
  return [...keys].flatMap((key) => {
    const own = <T extends Omit<Stake, 'id'>>(list: readonly T[]) => list.filter((each) => keyOf(each) === key)
    const sides = {
      before: own(stakes.before),
      after: own(stakes.after),
      othersBefore: own(stakes.othersBefore),
      othersAfter: own(stakes.othersAfter),
    }
    return movesOfKey(sides, own(scene.events.flatMap((event) => ('activationEpoch' in event ? [event] : []))), scene, rules)
  })
}

function movesOfKey(
  sides: Step['stakes'],
  events: readonly Exclude<StakingEvent, { kind: 'redeemed' }>[],
  scene: Scene,
  rules: Rules,
): Moves {
  const { epoch, isOwn } = scene
  const change = sum(sides.after) - sum(sides.before)
  const others = sum(sides.othersAfter) - sum(sides.othersBefore)
  const deposit = sum(events.filter(({ kind }) => kind === 'staked'))
  const withdrawals = events.filter((event): event is Unstaked => event.kind === 'unstaked')
  const conversions = events.filter((event): event is Converted => event.kind === 'converted')
  if (change + others !== deposit - sum(withdrawals) - sum(conversions)) throw new UnknownFlow('flow_missing')
  if (withdrawals.some((event) => event.reward !== rules.rewardAt(event, epoch))) throw new UnknownFlow('claims_not_known')
  if (conversions.some((event) => event.value !== rules.tokensAt(event))) throw new UnknownFlow('endpoint_disagrees')
  const bucket = [...sides.before, ...sides.after, ...events].some(({ activationEpoch }) => activationEpoch > epoch) ? 'pending' : 'stake'
  const accrued = rules.rewardsOf(sides.after, epoch) - rules.rewardsOf(sides.before, epoch)
  if (!isOwn) return [...transfer(change, bucket), ...carried(accrued, change, sides, scene, rules)]
  const payment = withdrawals.reduce((total, { reward }) => total + reward, 0n)
  const shares = conversions.map((event) => ({ ...event, worth: `fungible_worth:${event.pool}`, reward: rules.rewardAt(event, epoch) }))
  return [
    { kind: 'deposit', amount: deposit, from: 'wallet', to: bucket },
    ...withdrawals.flatMap(
      ({ principal, reward }): Moves => [
        { kind: 'withdrawal', amount: principal, from: bucket, to: 'wallet' },
        { kind: 'claim', amount: reward, from: 'rewards', to: 'wallet' },
      ],
    ),
    ...shares.flatMap(
      ({ principal, reward, worth }): Moves => [
        { kind: 'tokenize', amount: principal, from: bucket, to: worth },
        { kind: 'tokenize', amount: reward, from: 'rewards', to: worth },
      ],
    ),
    ...transfer(-others, bucket),
    ...carried(accrued + payment + shares.reduce((total, { reward }) => total + reward, 0n), -others, sides, scene, rules),
  ]
}

/**
 * Makes movements of fungible stake, each pool by itself: units of the pool, and what they are worth.
 *
 * @throws UnknownFlow
 */
export function moveShares(shares: Step['shares'], { events, epoch, isOwn }: Scene, rules: Rules): Moves {
  const conversions = events.flatMap((event) => (event.kind === 'converted' ? [event] : []))
  const redemptions = events.flatMap((event) => (event.kind === 'redeemed' ? [event] : []))
  if (shares.before.length + shares.after.length === 0) return []
  const pools = new Set([...shares.before, ...shares.after, ...conversions, ...redemptions].map(({ pool }) => pool))
  return [...pools].flatMap((pool): Moves => {
    const total = (list: readonly { readonly pool: string; readonly value: bigint }[]) =>
      list.reduce((all, each) => (each.pool === pool ? all + each.value : all), 0n)
    const change = total(shares.after) - total(shares.before)
    const others = total(shares.othersAfter) - total(shares.othersBefore)
    if (change + others !== total(conversions) - total(redemptions)) throw new UnknownFlow('flow_missing')
    const [units, worth] = [`fungible:${pool}`, `fungible_worth:${pool}`]
    const rate = rules.rateOf(pool, epoch)
    const arrival = isOwn ? -others : change
    const moves = [...transfer(arrival, units), ...transfer(arrival < 0n ? -suiOf(rate, -arrival) : suiOf(rate, arrival), worth)]
    if (!isOwn) return moves
    const own = redemptions.filter((each) => each.pool === pool)
    for (const { value, amount } of own)
      if (amount > suiOf(rate, value) || amount + REDEMPTION_CUT < suiOf(rate, value)) throw new UnknownFlow('endpoint_disagrees')
    return [
      { kind: 'tokenize', amount: total(conversions), from: 'chain', to: units },
      ...own.flatMap(
        ({ value, amount }): Moves => [
          { kind: 'withdrawal', amount: value, from: units, to: 'chain' },
          { kind: 'withdrawal', amount, from: worth, to: 'wallet' },
        ],
      ),
      ...moves,
    ]
  })
}

/**
 * MIST by which a redemption pays less than the worth of its tokens at most: principal and reward are each rounded down, and so is the worth of all.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-framework/packages/sui-system/sources/staking_pool.move (calculate_fungible_staked_sui_withdraw_amount, read 2026-11-29)
 */
const REDEMPTION_CUT = 3n

/**
 * Makes the movement of rewards that have gone or come with stakes; where no stake has, splits and joins have rounded them.
 *
 * @throws UnknownFlow for more than that rounds off
 */
function carried(accrued: bigint, moved: bigint, { before, after }: Step['stakes'], { epoch }: Scene, rules: Rules): Moves {
  if (moved !== 0n) return transfer(accrued, 'rewards')
  const [stake] = [...before, ...after]
  if (accrued === 0n || stake === undefined) return []
  const { sui, tokens } = rules.rateOf(stake.pool, epoch)
  // Each object is rounded by a token at most, and then by a MIST.
  const most = (tokens === 0n ? 1n : (sui + tokens - 1n) / tokens + 1n) * BigInt(before.length + after.length)
  if (accrued > most || -accrued > most) throw new UnknownFlow('claims_not_known')
  return [{ kind: 'rounding', ...toward(accrued, 'rewards', 'chain') }]
}

function transfer(amount: bigint, bucket: Place): Moves {
  return [{ kind: amount < 0n ? 'transfer_out' : 'transfer_in', ...toward(amount, bucket, 'others') }]
}

/** An amount into a bucket, or out of it where it is below 0. */
function toward(amount: bigint, bucket: Place, other: Place): Omit<Move, 'kind'> {
  return amount < 0n ? { amount: -amount, from: bucket, to: other } : { amount, from: other, to: bucket }
}

function keyOf({ pool, activationEpoch }: Pick<Stake, 'pool' | 'activationEpoch'>): string {
  return `${pool}@${activationEpoch}`
}

function sum(stakes: readonly Pick<Stake, 'principal'>[]): bigint {
  return stakes.reduce((total, { principal }) => total + principal, 0n)
}

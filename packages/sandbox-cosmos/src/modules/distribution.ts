import { type Context, coinsText, emit } from '../context.ts'
import { type Dec, formatDec, mul, mulTruncate, one, parseDec, quoTruncate, smaller, toDec, truncate } from '../dec.ts'
import { ChainError, distribution, staking } from '../errors.ts'
import type { State, Validator, ValidatorRewards } from '../state.ts'
import { moduleAddress } from './auth.ts'
import { balanceOf, mintCoins, moveBetween, sendCoins } from './bank.ts'
import { tokensFromShares, tokensFromSharesTruncated } from './shares.ts'
import { bondedValidators, powerOf } from './validators.ts'

// Rewards are shared out in constant time: for each validator the reward of one token is summed up by periods, and a delegation
// earns the difference between two of them. See the SDK's x/distribution (version 0.50, read 2026-11-21).

/** Distributes the balance of the fee collector: community tax first, then by power, each validator's commission before its delegators. */
export function allocate(ctx: Context): void {
  const collected = balanceOf(ctx.state, moduleAddress(ctx.genesis, 'fee_collector'), ctx.genesis.denom)
  if (collected === 0n) return
  moveBetween(ctx, 'fee_collector', 'distribution', collected)
  const fees = toDec(collected)
  const bonded = bondedValidators(ctx.state)
  const total = bonded.reduce((sum, validator) => sum + powerOf(validator), 0n)
  const shared = mulTruncate(fees, one - parseDec(ctx.genesis.distribution.communityTax))
  let rest = fees
  if (total > 0n) {
    for (const validator of bonded) {
      const reward = mulTruncate(shared, quoTruncate(toDec(powerOf(validator)), toDec(total)))
      allocateTo(ctx, validator, reward)
      rest -= reward
    }
  }
  addToCommunityPool(ctx.state, rest)
}

/** Returns the balance of the community pool. */
export function communityPool(state: State): Dec {
  return state.numbers.get('communityPool') ?? 0n
}

/** Begins the accounting of a new validator's rewards. */
export function initializeValidator(state: State, operator: string): void {
  state.historical.set(`${operator}/0`, { ratio: 0n, references: 1 })
  state.rewards.set(operator, { outstanding: 0n, commission: 0n, current: 0n, period: 1n })
}

/** Ends the reward period of a validator, and returns its number. */
export function incrementPeriod(state: State, validator: Validator): bigint {
  const rewards = rewardsOf(state, validator.operator)
  let ratio = 0n
  if (validator.tokens === 0n) {
    addToCommunityPool(state, rewards.current)
  } else {
    ratio = quoTruncate(rewards.current, toDec(validator.tokens))
  }
  const before = state.historical.existing(`${validator.operator}/${rewards.period - 1n}`)
  dropReference(state, validator.operator, rewards.period - 1n)
  state.historical.set(`${validator.operator}/${rewards.period}`, { ratio: before.ratio + ratio, references: 1 })
  state.rewards.set(validator.operator, {
    ...rewards,
    outstanding: validator.tokens === 0n ? rewards.outstanding - rewards.current : rewards.outstanding,
    current: 0n,
    period: rewards.period + 1n,
  })
  return rewards.period
}

/** Begins the accounting of a delegation's rewards, after its validator's period has been ended. */
export function initializeDelegation(ctx: Context, operator: string, delegator: string): void {
  const { state } = ctx
  const previousPeriod = rewardsOf(state, operator).period - 1n
  addReference(state, operator, previousPeriod)
  const stake = tokensFromSharesTruncated(state.validators.existing(operator), state.delegations.existing(`${operator}/${delegator}`))
  state.starting.set(`${operator}/${delegator}`, { previousPeriod, stake, height: ctx.height })
}

/** What a delegation earned until the end of a period. */
function delegationRewards(ctx: Context, validator: Validator, delegator: string, endingPeriod: bigint): Dec {
  const { state } = ctx
  const key = `${validator.operator}/${delegator}`
  const info = state.starting.get(key)
  const shares = state.delegations.get(key)
  if (info === undefined || shares === undefined || info.height === ctx.height) return 0n
  let { previousPeriod, stake } = info
  let rewards = 0n
  for (const event of state.slashes.get(validator.operator) ?? []) {
    if (event.height < info.height || event.period <= previousPeriod) continue
    rewards += rewardsBetween(state, validator.operator, previousPeriod, event.period, stake)
    stake = mulTruncate(stake, one - event.fraction)
    previousPeriod = event.period
  }
  // Rounding may leave the stake a few units of the last place too high; more would be a fault of this chain.
  const current = tokensFromShares(validator, shares)
  if (stake > current + 3n) throw new RangeError(`stake ${stake} of ${key} is more than its shares are worth, ${current}`)
  return rewards + rewardsBetween(state, validator.operator, previousPeriod, endingPeriod, smaller(stake, current))
}

/** Ends the accounting of a delegation's rewards, and pays them out, or keeps them where the chain parks rewards and this is no claim. @returns what was paid, in base units */
export function settle(ctx: Context, validator: Validator, delegator: string, claims: boolean): bigint {
  const { state, genesis } = ctx
  const key = `${validator.operator}/${delegator}`
  const info = state.starting.get(key)
  if (info === undefined) throw new ChainError(distribution.noDelegationInfo)
  const endingPeriod = incrementPeriod(state, validator)
  const raw = delegationRewards(ctx, validator, delegator, endingPeriod)
  const before = rewardsOf(state, validator.operator)
  const earned = smaller(raw, before.outstanding)
  let paid = truncate(earned)
  const remainder = earned - toDec(paid)
  if (paid > 0n) {
    const parked = state.parked.get(key) ?? 0n
    if (genesis.distribution.parksRewards && !claims) {
      state.parked.set(key, parked + paid)
      paid = 0n
    } else {
      paid += parked
      pay(ctx, delegator, paid)
      state.parked.delete(key)
    }
  }
  state.rewards.set(validator.operator, { ...before, outstanding: before.outstanding - earned })
  addToCommunityPool(state, remainder)
  dropReference(state, validator.operator, info.previousPeriod)
  state.starting.delete(key)
  emit(ctx, 'withdraw_rewards', { amount: paidText(ctx, paid), validator: validator.operator, delegator })
  return paid
}

/** Names the denomination of a payout. Nothing is paid in the SDK's own default, whatever the chain stakes, but by Celestia's fork. As recorded on 2026-11-23. */
function payoutDenom({ genesis }: Context, paid: bigint): string {
  return paid === 0n && !genesis.distribution.parksRewards ? 'stake' : genesis.denom
}

function paidText(ctx: Context, paid: bigint): string {
  return coinsText(payout(ctx, paid))
}

/**
 * Runs the message that claims rewards.
 *
 * @returns what was paid, in base units
 * @throws ChainError when there is no such validator, or nothing to reckon with it
 */
export function withdrawRewards(ctx: Context, delegator: string, operator: string): bigint {
  const { state, genesis } = ctx
  const validator = state.validators.get(operator)
  if (validator === undefined) throw new ChainError(staking.noValidator)
  const key = `${operator}/${delegator}`
  if (!state.delegations.has(key)) {
    if (!genesis.distribution.parksRewards) throw new ChainError(staking.noDelegation)
    const parked = state.parked.get(key)
    if (parked === undefined) throw new ChainError(distribution.noDelegationInfo)
    pay(ctx, delegator, parked)
    state.parked.delete(key)
    emit(ctx, 'withdraw_rewards', { amount: paidText(ctx, parked), validator: operator, delegator })
    return parked
  }
  const paid = settle(ctx, validator, delegator, true)
  initializeDelegation(ctx, operator, delegator)
  return paid
}

/** Computes the rewards that a claim would find now, including parked ones; undefined where there is nothing to compute. Works on a branch of the state. */
export function pendingRewards(ctx: Context, delegator: string, operator: string): Dec | undefined {
  const key = `${operator}/${delegator}`
  const parked = ctx.state.parked.get(key)
  const validator = ctx.state.validators.get(operator)
  if (validator === undefined || !ctx.state.delegations.has(key)) return parked === undefined ? undefined : toDec(parked)
  const state = ctx.state.branch()
  return delegationRewards({ ...ctx, state }, validator, delegator, incrementPeriod(state, validator)) + toDec(parked ?? 0n)
}

/** Records that a validator is about to lose a fraction of its tokens. */
export function recordSlash(ctx: Context, validator: Validator, fraction: Dec): void {
  const period = incrementPeriod(ctx.state, validator)
  addReference(ctx.state, validator.operator, period)
  const events = ctx.state.slashes.get(validator.operator) ?? []
  ctx.state.slashes.set(validator.operator, [...events, { height: ctx.height, period, fraction }])
}

/** Prefix of the names of the numbers that say in which further denominations rewards come. */
const FURTHER = 'reward/'

/** Lists the denominations in which rewards come, in the order of their names. Each comes in the amount of the chain's own. */
export function rewardDenoms({ state, genesis }: Context): string[] {
  return [genesis.denom, ...state.numbers.entries(FURTHER).map(([key]) => key.slice(FURTHER.length))].sort()
}

/** Makes rewards come in further denominations from now on, as they do where fees are paid in them. */
export function addRewardDenoms(state: State, denoms: readonly string[]): void {
  for (const denom of denoms) state.numbers.set(`${FURTHER}${denom}`, 1n)
}

/** Lists the coins of a payout; for a payout of nothing, one coin with the amount 0. */
export function payout(ctx: Context, paid: bigint): { readonly denom: string; readonly amount: bigint }[] {
  return paid === 0n ? [{ denom: payoutDenom(ctx, paid), amount: 0n }] : rewardDenoms(ctx).map((denom) => ({ denom, amount: paid }))
}

function pay(ctx: Context, delegator: string, amount: bigint): void {
  const from = moduleAddress(ctx.genesis, 'distribution')
  const coins = payout(ctx, amount)
  // Further denominations are made when they are paid: until then nobody counts them.
  for (const { denom } of coins) if (denom !== ctx.genesis.denom) mintCoins(ctx, from, amount, denom)
  sendCoins(ctx, from, ctx.state.withdrawTo.get(delegator) ?? delegator, coins)
}

function allocateTo(ctx: Context, validator: Validator, reward: Dec): void {
  const { state, genesis } = ctx
  const rewards = rewardsOf(state, validator.operator)
  const commission = mul(reward, validator.commission)
  for (const [type, amount] of Object.entries({ commission, rewards: reward }))
    emit(ctx, type, { amount: `${formatDec(amount)}${genesis.denom}`, validator: validator.operator })
  state.rewards.set(validator.operator, {
    ...rewards,
    outstanding: rewards.outstanding + reward,
    commission: rewards.commission + commission,
    current: rewards.current + reward - commission,
  })
}

function rewardsBetween(state: State, operator: string, from: bigint, to: bigint, stake: Dec): Dec {
  const [starting, ending] = [state.historical.existing(`${operator}/${from}`), state.historical.existing(`${operator}/${to}`)]
  return mulTruncate(ending.ratio - starting.ratio, stake)
}

function addReference(state: State, operator: string, period: bigint): void {
  const key = `${operator}/${period}`
  const record = state.historical.existing(key)
  state.historical.set(key, { ...record, references: record.references + 1 })
}

function dropReference(state: State, operator: string, period: bigint): void {
  const key = `${operator}/${period}`
  const record = state.historical.existing(key)
  if (record.references === 1) state.historical.delete(key)
  else state.historical.set(key, { ...record, references: record.references - 1 })
}

function addToCommunityPool(state: State, amount: Dec): void {
  state.numbers.set('communityPool', communityPool(state) + amount)
}

function rewardsOf(state: State, operator: string): ValidatorRewards {
  return state.rewards.existing(operator)
}

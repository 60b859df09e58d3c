import { type Context, coinsText, emit } from '../context.ts'
import { type Dec, mul, mulTruncate, one, parseDec, quoTruncate, smaller, toDec } from '../dec.ts'
import { type Coins, type DecCoins, decimals, decText, each, intersect, listed, minus, NO_COINS, plus, truncated } from '../dec-coins.ts'
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
  const further = new Map(feeDenoms(ctx).map((denom) => [denom, collected]))
  mint(ctx, further)
  const fees = decimals(new Map([[ctx.genesis.denom, collected], ...further]))
  const bonded = bondedValidators(ctx.state)
  const total = bonded.reduce((sum, validator) => sum + powerOf(validator), 0n)
  const left = one - parseDec(ctx.genesis.distribution.communityTax)
  const taxed = each(fees, (amount) => mulTruncate(amount, left))
  let rest = fees
  if (total > 0n) {
    for (const validator of bonded) {
      const part = quoTruncate(toDec(powerOf(validator)), toDec(total))
      const reward = each(taxed, (amount) => mulTruncate(amount, part))
      allocateTo(ctx, validator, reward)
      rest = minus(rest, reward)
    }
  }
  addToCommunityPool(ctx.state, rest)
}

/**
 * Pays coins that a stranger brings into the rewards of a validator: its commission first, then all who stake with it, and nothing to the community.
 *
 * @see cosmos-sdk v0.53.8, x/distribution/keeper/msg_server.go (DepositValidatorRewardsPool, read 2026-11-30)
 */
export function depositRewards(ctx: Context, operator: string, coins: Coins): void {
  mint(ctx, coins)
  allocateTo(ctx, ctx.state.validators.existing(operator), decimals(coins))
}

/** Returns the coins of the community pool. */
export function communityPool(state: State): DecCoins {
  return state.pools.get('community') ?? NO_COINS
}

/** Begins the accounting of a new validator's rewards. */
export function initializeValidator(state: State, operator: string): void {
  state.historical.set(`${operator}/0`, { ratio: NO_COINS, references: 1 })
  state.rewards.set(operator, { outstanding: NO_COINS, commission: NO_COINS, current: NO_COINS, period: 1n })
}

/** Ends the reward period of a validator, and returns its number. */
export function incrementPeriod(state: State, validator: Validator): bigint {
  const rewards = rewardsOf(state, validator.operator)
  let ratio: DecCoins = NO_COINS
  if (validator.tokens === 0n) {
    addToCommunityPool(state, rewards.current)
  } else {
    ratio = each(rewards.current, (amount) => quoTruncate(amount, toDec(validator.tokens)))
  }
  const before = state.historical.existing(`${validator.operator}/${rewards.period - 1n}`)
  dropReference(state, validator.operator, rewards.period - 1n)
  state.historical.set(`${validator.operator}/${rewards.period}`, { ratio: plus(before.ratio, ratio), references: 1 })
  state.rewards.set(validator.operator, {
    ...rewards,
    outstanding: validator.tokens === 0n ? minus(rewards.outstanding, rewards.current) : rewards.outstanding,
    current: NO_COINS,
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
function delegationRewards(ctx: Context, validator: Validator, delegator: string, endingPeriod: bigint): DecCoins {
  const { state } = ctx
  const key = `${validator.operator}/${delegator}`
  const info = state.starting.get(key)
  const shares = state.delegations.get(key)
  if (info === undefined || shares === undefined || info.height === ctx.height) return NO_COINS
  let { previousPeriod, stake } = info
  let rewards: DecCoins = NO_COINS
  for (const event of state.slashes.get(validator.operator) ?? []) {
    if (event.height < info.height || event.period <= previousPeriod) continue
    rewards = plus(rewards, rewardsBetween(state, validator.operator, previousPeriod, event.period, stake))
    stake = mulTruncate(stake, one - event.fraction)
    previousPeriod = event.period
  }
  // Rounding may leave the stake a few units of the last place too high; more would be a fault of this chain.
  const current = tokensFromShares(validator, shares)
  if (stake > current + 3n) throw new RangeError(`stake ${stake} of ${key} is more than its shares are worth, ${current}`)
  return plus(rewards, rewardsBetween(state, validator.operator, previousPeriod, endingPeriod, smaller(stake, current)))
}

/** Ends the accounting of a delegation's rewards, and pays them out, or keeps them where the chain parks rewards and this is no claim. @returns the coins that were paid */
export function settle(ctx: Context, validator: Validator, delegator: string, claims: boolean): Coins {
  const { state, genesis } = ctx
  const key = `${validator.operator}/${delegator}`
  const info = state.starting.get(key)
  if (info === undefined) throw new ChainError(distribution.noDelegationInfo)
  const endingPeriod = incrementPeriod(state, validator)
  const raw = delegationRewards(ctx, validator, delegator, endingPeriod)
  const before = rewardsOf(state, validator.operator)
  const earned = intersect(raw, before.outstanding)
  let paid = truncated(earned)
  const remainder = minus(earned, decimals(paid))
  if (paid.size > 0) {
    const parked = state.parked.get(key) ?? NO_COINS
    if (genesis.distribution.parksRewards && !claims) {
      state.parked.set(key, plus(parked, paid))
      paid = NO_COINS
    } else {
      paid = plus(paid, parked)
      pay(ctx, delegator, paid)
      state.parked.delete(key)
    }
  }
  state.rewards.set(validator.operator, { ...before, outstanding: minus(before.outstanding, earned) })
  addToCommunityPool(state, remainder)
  dropReference(state, validator.operator, info.previousPeriod)
  state.starting.delete(key)
  emit(ctx, 'withdraw_rewards', { amount: paidText(ctx, paid), validator: validator.operator, delegator })
  return paid
}

/** Writes the coins of a payout as its event has them. */
function paidText(ctx: Context, paid: Coins): string {
  return coinsText(payout(ctx, paid))
}

/**
 * Runs the message that claims rewards.
 *
 * @returns the coins that were paid
 * @throws ChainError when there is no such validator, or nothing to reckon with it
 */
export function withdrawRewards(ctx: Context, delegator: string, operator: string): Coins {
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
export function pendingRewards(ctx: Context, delegator: string, operator: string): DecCoins | undefined {
  const key = `${operator}/${delegator}`
  const parked = ctx.state.parked.get(key)
  const validator = ctx.state.validators.get(operator)
  if (validator === undefined || !ctx.state.delegations.has(key)) return parked && decimals(parked)
  const state = ctx.state.branch()
  const earned = delegationRewards({ ...ctx, state }, validator, delegator, incrementPeriod(state, validator))
  return plus(earned, decimals(parked ?? NO_COINS))
}

/** Records that a validator is about to lose a fraction of its tokens. */
export function recordSlash(ctx: Context, validator: Validator, fraction: Dec): void {
  const period = incrementPeriod(ctx.state, validator)
  addReference(ctx.state, validator.operator, period)
  const events = ctx.state.slashes.get(validator.operator) ?? []
  ctx.state.slashes.set(validator.operator, [...events, { height: ctx.height, period, fraction }])
}

/** Prefix of the names of the numbers that say in which further denominations fees come. */
const FURTHER = 'fees/'

/** Lists the denominations besides the chain's own in which fees come, each in the amount of the chain's own. */
export function feeDenoms({ state }: Context): string[] {
  return state.numbers.entries(FURTHER).map(([key]) => key.slice(FURTHER.length))
}

/** Makes fees come in further denominations from now on. */
export function addFeeDenoms(state: State, denoms: readonly string[]): void {
  for (const denom of denoms) state.numbers.set(`${FURTHER}${denom}`, 1n)
}

/**
 * Lists the coins of a payout in the order of their names; for a payout of nothing one coin with the amount 0: in the SDK's own default, whatever the chain stakes, but by
 * Celestia's fork. As recorded on 2026-11-23.
 */
export function payout({ genesis }: Context, paid: Coins): { readonly denom: string; readonly amount: bigint }[] {
  const none = genesis.distribution.parksRewards ? genesis.denom : 'stake'
  return paid.size === 0 ? [{ denom: none, amount: 0n }] : listed(paid)
}

function pay(ctx: Context, delegator: string, paid: Coins): void {
  sendCoins(ctx, moduleAddress(ctx.genesis, 'distribution'), ctx.state.withdrawTo.get(delegator) ?? delegator, payout(ctx, paid))
}

/** Makes coins that come from outside of the chain. */
function mint(ctx: Context, coins: Coins): void {
  for (const { denom, amount } of listed(coins)) mintCoins(ctx, moduleAddress(ctx.genesis, 'distribution'), amount, denom)
}

function allocateTo(ctx: Context, validator: Validator, reward: DecCoins): void {
  const { state } = ctx
  const rewards = rewardsOf(state, validator.operator)
  const commission = each(reward, (amount) => mul(amount, validator.commission))
  for (const [type, amount] of Object.entries({ commission, rewards: reward }))
    emit(ctx, type, { amount: decText(amount), validator: validator.operator })
  state.rewards.set(validator.operator, {
    ...rewards,
    outstanding: plus(rewards.outstanding, reward),
    commission: plus(rewards.commission, commission),
    current: plus(rewards.current, minus(reward, commission)),
  })
}

function rewardsBetween(state: State, operator: string, from: bigint, to: bigint, stake: Dec): DecCoins {
  const [starting, ending] = [state.historical.existing(`${operator}/${from}`), state.historical.existing(`${operator}/${to}`)]
  return each(minus(ending.ratio, starting.ratio), (ratio) => mulTruncate(ratio, stake))
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

function addToCommunityPool(state: State, coins: DecCoins): void {
  state.pools.set('community', plus(communityPool(state), coins))
}

function rewardsOf(state: State, operator: string): ValidatorRewards {
  return state.rewards.existing(operator)
}

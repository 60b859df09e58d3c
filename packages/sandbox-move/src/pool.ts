import { least } from './integers.ts'

/** A staking pool's books; amounts in MIST, shares in pool tokens. */
export interface Pool {
  readonly id: string
  readonly exchangeRatesId: string
  readonly extraFieldsId: string
  readonly activationEpoch: bigint
  readonly deactivationEpoch: bigint | undefined
  /** Active stake with its rewards. */
  readonly sui: bigint
  readonly tokens: bigint
  /** The part of `sui` that rewards are paid from. */
  readonly rewards: bigint
  readonly pendingStake: bigint
  readonly pendingSuiWithdraw: bigint
  readonly pendingTokenWithdraw: bigint
  /** Number of entries in the pool's table of rates. */
  readonly rates: bigint
  /** Number of fields in the pool's bag: the fungible stake is one. */
  readonly extraFields: bigint
}

/** SUI and pool tokens at the start of an epoch; what one is worth in the other. */
export interface Rate {
  readonly sui: bigint
  readonly tokens: bigint
}

/** Rate of a pool without stake: one for one. */
export const initialRate: Rate = { sui: 0n, tokens: 0n }

/** State that a stake which has come and gone left in its pool. */
interface Withdrawal {
  readonly pool: Pool
  /** MIST paid out. */
  readonly paid: bigint
  readonly reward: bigint
}

const less = (a: bigint, b: bigint) => (a > b ? a - b : 0n)

/**
 * Converts MIST into tokens of a pool, rounding down.
 *
 * @see MystenLabs/sui staking_pool.move `get_token_amount` (this file's arithmetic is all from there, read 2026-11-21)
 */
export function tokensOf(rate: Rate, sui: bigint): bigint {
  return rate.sui === 0n || rate.tokens === 0n ? sui : (rate.tokens * sui) / rate.sui
}

/** Converts tokens of a pool into MIST, rounding down. @see staking_pool.move `get_sui_amount` */
export function suiOf(rate: Rate, tokens: bigint): bigint {
  return rate.sui === 0n || rate.tokens === 0n ? tokens : (rate.sui * tokens) / rate.tokens
}

/**
 * Returns the rate at an epoch: that of the latest epoch not after it that has an entry. Epochs that ended in safe mode have none.
 *
 * @param entry of the pool's table, by epoch
 * @see staking_pool.move `pool_token_exchange_rate_at_epoch`
 */
export function rateAt(pool: Pool, epoch: bigint, entry: (epoch: bigint) => Rate | undefined): Rate {
  if (pool.activationEpoch > epoch) return initialRate
  let at = pool.deactivationEpoch === undefined ? epoch : least(epoch, pool.deactivationEpoch)
  for (; at >= pool.activationEpoch; at--) {
    const rate = entry(at)
    if (rate !== undefined) return rate
  }
  return initialRate
}

/** Computes the reward of an active stake, as far as the pool can pay it. */
export function rewardOf(pool: Pool, principal: bigint, tokens: bigint, now: Rate): bigint {
  return least(less(suiOf(now, tokens), principal), pool.rewards)
}

/** Adds a stake to a pool; it becomes active with the next epoch. */
export function addStake(pool: Pool, amount: bigint): Pool {
  return { ...pool, pendingStake: pool.pendingStake + amount }
}

/** Pays back a stake that never became active. */
export function withdrawPending(pool: Pool, principal: bigint): Withdrawal {
  return { pool: { ...pool, pendingStake: pool.pendingStake - principal }, paid: principal, reward: 0n }
}

/** Pays out an active stake. The pool's sums change at the end of the epoch, or at once when the pool is inactive. @param rates at the stake's activation and now */
export function withdrawActive(pool: Pool, principal: bigint, rates: { activation: Rate; now: Rate }): Withdrawal {
  const tokens = tokensOf(rates.activation, principal)
  const reward = rewardOf(pool, principal, tokens, rates.now)
  const paid = principal + reward
  return { pool: settleIfInactive(leave({ ...pool, rewards: pool.rewards - reward }, paid, tokens)), paid, reward }
}

/** A pool's fungible stake: all tokens of it, and the part of their worth that is principal. */
interface FungibleData {
  readonly totalSupply: bigint
  readonly principal: bigint
}

/**
 * Makes an active stake fungible.
 *
 * @param principal in MIST
 * @param activation rate at which the stake became active
 * @returns the pool's fungible stake with it, and how many tokens it came to
 * @see staking_pool.move `convert_to_fungible_staked_sui`
 */
export function addFungible(data: FungibleData, principal: bigint, activation: Rate): { data: FungibleData; value: bigint } {
  const value = tokensOf(activation, principal)
  return { data: { totalSupply: data.totalSupply + value, principal: data.principal + principal }, value }
}

/** Works out the worth of fungible stake, as principal and reward. @see `calculate_fungible_staked_sui_withdraw_amount` */
function fungibleWorth(data: FungibleData, value: bigint, now: Rate): { principal: bigint; reward: bigint } {
  const total = suiOf(now, data.totalSupply)
  const principal = least(data.principal, total)
  return { principal: (value * principal) / data.totalSupply, reward: (value * (total - principal)) / data.totalSupply }
}

/**
 * Pays out fungible stake. An inactive pool does not settle it at once, as it does with other stake.
 *
 * @returns undefined when the pool's rewards do not suffice, which aborts on the chain
 * @see staking_pool.move `redeem_fungible_staked_sui`
 */
export function redeemFungible(
  pool: Pool,
  data: FungibleData,
  value: bigint,
  now: Rate,
): (Withdrawal & { data: FungibleData }) | undefined {
  const { principal, reward } = fungibleWorth(data, value, now)
  if (reward > pool.rewards) return undefined
  const paid = principal + reward
  return {
    pool: leave({ ...pool, rewards: pool.rewards - reward }, paid, value),
    data: { totalSupply: data.totalSupply - value, principal: data.principal - principal },
    paid,
    reward,
  }
}

/** Adds the rewards of an epoch to the active stake. */
export function depositRewards(pool: Pool, reward: bigint): Pool {
  return { ...pool, sui: pool.sui + reward, rewards: pool.rewards + reward }
}

/**
 * Ends an epoch for a pool, after rewards: leaving stake is removed, then new stake is added at the rate of the rest.
 *
 * @see staking_pool.move `process_pending_stakes_and_withdraws`
 */
export function processPending(pool: Pool): Pool {
  const left = settle(pool)
  const sui = left.sui + left.pendingStake
  return { ...left, sui, tokens: tokensOf(left, sui), pendingStake: 0n, rates: left.rates + 1n }
}

function leave(pool: Pool, sui: bigint, tokens: bigint): Pool {
  return { ...pool, pendingSuiWithdraw: pool.pendingSuiWithdraw + sui, pendingTokenWithdraw: pool.pendingTokenWithdraw + tokens }
}

function settleIfInactive(pool: Pool): Pool {
  return pool.deactivationEpoch === undefined ? pool : settle(pool)
}

/** Saturating, as newer code is. */
function settle(pool: Pool): Pool {
  return {
    ...pool,
    sui: less(pool.sui, pool.pendingSuiWithdraw),
    tokens: less(pool.tokens, pool.pendingTokenWithdraw),
    pendingSuiWithdraw: 0n,
    pendingTokenWithdraw: 0n,
  }
}

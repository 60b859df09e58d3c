import type { FungibleData, Rate } from './layouts.ts'

/**
 * The arithmetic of a staking pool, as the chain does it: whole MIST and tokens, rounded down.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-framework/packages/sui-system/sources/staking_pool.move (read 2026-11-21)
 */

/** Before a pool's first entry, and in an empty pool: one to one. */
export const ONE_TO_ONE: Rate = { sui: 0n, tokens: 0n }

/** Computes the pool tokens that an amount of MIST buys. */
export function tokensOf({ sui, tokens }: Rate, amount: bigint): bigint {
  return sui === 0n || tokens === 0n ? amount : (tokens * amount) / sui
}

/** Computes the worth of pool tokens in MIST. */
export function suiOf({ sui, tokens }: Rate, amount: bigint): bigint {
  return sui === 0n || tokens === 0n ? amount : (sui * amount) / tokens
}

/**
 * Computes the payment of a withdrawal on top of the principal. Rounding makes a young stake worth a MIST less than its principal, and the chain pays the principal.
 *
 * @param at rate at the stake's activation epoch
 * @param now rate at the current epoch
 * @param rewardsPool MIST of rewards that the pool holds, the most that it can pay
 */
export function rewardOf(principal: bigint, at: Rate, now: Rate, rewardsPool: bigint): bigint {
  const reward = suiOf(now, tokensOf(at, principal)) - principal
  return min(reward < 0n ? 0n : reward, rewardsPool)
}

/** Computes the payment of a redemption of fungible stake, in its two parts. */
export function redemptionOf(value: bigint, now: Rate, data: FungibleData): { readonly principal: bigint; readonly reward: bigint } {
  const total = suiOf(now, data.supply)
  const principal = min(data.principal, total)
  return { principal: (value * principal) / data.supply, reward: (value * (total - principal)) / data.supply }
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

import type { SvmFee } from '../types.ts'
import type { Pool } from './state.ts'

/** Computes a fee, rounded up as version 2 of the program does. @see program/src/state.rs, Fee::apply (read 2026-11-21) */
export function feeOf({ numerator, denominator }: SvmFee, amount: bigint): bigint {
  return denominator === 0n ? 0n : (amount * numerator + denominator - 1n) / denominator
}

/** Computes the pool tokens for a deposit, before fees. */
export function tokensFor({ total, supply }: Pool, lamports: bigint): bigint {
  return total === 0n || supply === 0n ? lamports : (lamports * supply) / total
}

/** Computes the lamports for pool tokens that are burnt. */
export function lamportsFor({ total, supply }: Pool, tokens: bigint): bigint {
  return supply === 0n ? 0n : (tokens * total) / supply
}

/** Computes the lamports of one base unit of the token, rounded up, by which a balance may be off. */
export function lamportsPerToken({ total, supply }: Pool): bigint {
  return supply === 0n ? 0n : (total + supply - 1n) / supply
}

/** Computes the pool tokens of the epoch fee on the pool's gain. @see program/src/state.rs, calc_epoch_fee_amount (read 2026-11-21) */
export function epochFeeTokens(pool: Pool, newTotal: bigint): bigint {
  if (newTotal <= pool.total) return 0n
  const reward = newTotal - pool.total
  const fee = feeOf(pool.epochFee, reward)
  return pool.supply === 0n || newTotal === fee ? reward : (pool.supply * fee) / (newTotal - fee)
}

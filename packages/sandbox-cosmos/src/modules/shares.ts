import { type Dec, quo, quoTruncate, toDec, truncate } from '../dec.ts'
import { ChainError, staking } from '../errors.ts'
import type { Validator } from '../state.ts'

type Pool = Pick<Validator, 'tokens' | 'shares'>

/** Returns the worth of shares, in base units with places, rounded. */
export function tokensFromShares(pool: Pool, shares: Dec): Dec {
  return quo(shares * pool.tokens, pool.shares)
}

/** Returns the worth of shares, in base units with places, truncated. */
export function tokensFromSharesTruncated(pool: Pool, shares: Dec): Dec {
  return quoTruncate(shares * pool.tokens, pool.shares)
}

/**
 * Converts tokens into shares.
 *
 * @throws ChainError where there are no tokens to compare with
 */
export function sharesFromTokens(pool: Pool, amount: bigint): Dec {
  if (pool.tokens === 0n) throw new ChainError(staking.insufficientShares)
  return (pool.shares * amount) / pool.tokens
}

/** Converts tokens into shares, truncated as a quotient of decimals. */
export function sharesFromTokensTruncated(pool: Pool, amount: bigint): Dec {
  if (pool.tokens === 0n) throw new ChainError(staking.insufficientShares)
  return quoTruncate(pool.shares * amount, toDec(pool.tokens))
}

/** Adds tokens to a pool; `issued` are the new shares for them. */
export function addTokens<P extends Pool>(pool: P, amount: bigint): { pool: P; issued: Dec } {
  const issued = pool.shares === 0n ? toDec(amount) : sharesFromTokens(pool, amount)
  return { pool: { ...pool, tokens: pool.tokens + amount, shares: pool.shares + issued }, issued }
}

/** Removes shares from a pool; `returned` are the base units for them. The last share takes all remaining tokens. */
export function removeShares<P extends Pool>(pool: P, shares: Dec): { pool: P; returned: bigint } {
  const left = pool.shares - shares
  const returned = left === 0n ? pool.tokens : truncate(tokensFromShares(pool, shares))
  return { pool: { ...pool, tokens: pool.tokens - returned, shares: left }, returned }
}

/** Tells whether the shares have lost all their worth, so that nobody can delegate any more. */
export function hasNoRate(pool: Pool): boolean {
  return pool.tokens === 0n && pool.shares > 0n
}

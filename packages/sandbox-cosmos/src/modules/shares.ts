import { type Dec, quo, quoTruncate, toDec, truncate } from '../dec.ts'
import { ChainError, staking } from '../errors.ts'
import type { Validator } from '../state.ts'

type Pool = Pick<Validator, 'tokens' | 'shares'>

/** Returns the worth of shares, in base units with places, rounded. */
export function tokensFromShares(pool: Pool, shares: Dec): Dec {
  return quo(shares * pool.tokens, pool.shares)
}

/** Returns the worth of shares, in base units with places, cut off. */
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

/** The same, cut off as a quotient of decimals. */
export function sharesFromTokensTruncated(pool: Pool, amount: bigint): Dec {
  if (pool.tokens === 0n) throw new ChainError(staking.insufficientShares)
  return quoTruncate(pool.shares * amount, toDec(pool.tokens))
}

/** Adds tokens; `issued` are the shares for them. */
export function addTokens<P extends Pool>(pool: P, amount: bigint): { pool: P; issued: Dec } {
  const issued = pool.shares === 0n ? toDec(amount) : sharesFromTokens(pool, amount)
  return { pool: { ...pool, tokens: pool.tokens + amount, shares: pool.shares + issued }, issued }
}

/** Takes shares out; `returned` are the base units for them. Who takes the last share takes the last token. */
export function removeShares<P extends Pool>(pool: P, shares: Dec): { pool: P; returned: bigint } {
  const left = pool.shares - shares
  const returned = left === 0n ? pool.tokens : truncate(tokensFromShares(pool, shares))
  return { pool: { ...pool, tokens: pool.tokens - returned, shares: left }, returned }
}

/** Tells whether the shares have lost all worth, so that nobody can delegate any more. */
export function hasNoRate(pool: Pool): boolean {
  return pool.tokens === 0n && pool.shares > 0n
}

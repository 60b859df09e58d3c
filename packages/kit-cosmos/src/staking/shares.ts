// The arithmetic of a validator's shares, as the chain does it. Shares are times 10^18, tokens are base units.

/** Scale of the SDK's fixed-point numbers. @see https://pkg.go.dev/cosmossdk.io/math#LegacyPrecision (read 2026-11-21) */
const ONE = 10n ** 18n

/** Holdings of a validator for all who delegate to it. */
export interface Pool {
  /** Base units. */
  readonly tokens: bigint
  /** Times 10^18. */
  readonly shares: bigint
}

/**
 * Converts an amount to shares, truncated.
 *
 * @param amount base units
 * @throws RangeError where the validator has no tokens
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/types/validator.go (SharesFromTokens, SharesFromTokensTruncated; read 2026-11-25)
 */
export function sharesOf(amount: bigint, { tokens, shares }: Pool): bigint {
  return (shares * amount) / tokens
}

/**
 * Computes the worth of shares in whole base units: a quotient that is rounded to 18 places, halves to even, and then truncated.
 *
 * @see https://github.com/cosmos/cosmos-sdk/blob/v0.53.8/x/staking/types/validator.go (TokensFromShares, RemoveDelShares) and cosmossdk.io/math v1.5.3, legacy_dec.go
 * (QuoMut, chopPrecisionAndRound; read 2026-11-25)
 */
export function worthOf(shares: bigint, pool: Pool): bigint {
  const scaled = (shares * pool.tokens * ONE * ONE) / pool.shares
  const [whole, rest] = [scaled / ONE, (scaled % ONE) * 2n]
  return (rest > ONE || (rest === ONE && whole % 2n === 1n) ? whole + 1n : whole) / ONE
}

/**
 * Finds the amount whose exit takes all shares of a delegation. Amounts are whole base units, so that there may be none: then less than a unit stays behind. Just below a
 * whole unit, the chain's truncated worth is one unit too low.
 *
 * @param worth of the delegation as the chain tells it, in base units
 * @returns null where there is none
 */
export function emptyingAmount(worth: bigint, delegated: bigint, pool: Pool): bigint | null {
  if (pool.tokens === 0n || delegated === 0n) return null
  return [worth, worth + 1n].find((amount) => amount > 0n && sharesOf(amount, pool) === delegated) ?? null
}

import type { SharePrice } from '@svc/verify/intent'

/** Books from which the shares of a redemption follow: the books of the pool, and what the address holds. */
export interface Books {
  /** True if the amount means the whole position. */
  readonly all: boolean
  /** Shares of the address. */
  readonly position: bigint
  readonly pool: { readonly shares: bigint; readonly assets: bigint }
  /** Least redemption, in base units of the native token. */
  readonly minimum: bigint
}

/** Worth of a gMON: it began at 1 MON and grows with rewards, some percent a year; Monad takes nothing away from stake. */
export const price: SharePrice = { symbol: 'gMON', least: 90n, most: 200n }

/**
 * Computes the shares that an amount is worth by the published formula, from the pool's books; the crafting side uses the vault's own answer instead.
 *
 * @param amount base units of the native token
 */
export function sharesBy({ all, position, pool, minimum }: Books, amount: bigint): bigint {
  if (all) return position
  const product = amount * (pool.shares + 1n)
  const down = (product - (product % (pool.assets + 1n))) / (pool.assets + 1n)
  // As many more as the least redemption takes, when that is what was asked for.
  const short = down * (pool.assets + 1n) < minimum * (pool.shares + 1n)
  return short ? (minimum * (pool.shares + 1n) + pool.assets) / (pool.assets + 1n) : down
}

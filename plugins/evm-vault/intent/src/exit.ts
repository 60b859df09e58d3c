import { isDoubleOf, type SharePrice } from '@svc/verify/intent'

/** The books that an exit is promised by, in wei and shares; percentages and growth are parts of 1e18. */
export interface ExitBooks {
  readonly owned: bigint
  readonly totalAssets: bigint
  readonly totalShares: bigint
  /** The owner's osToken, what all osToken are worth together, and what a debt may be of the stake that covers it; null without any. */
  readonly minted: Minted | null
}

interface Minted {
  readonly owed: bigint
  readonly allAssets: bigint
  readonly allShares: bigint
  /** Loan to value. */
  readonly ltv: bigint
  /** Growth per second. */
  readonly growth: bigint
}

/** Worth of a share: it began at 1 ether, grows with rewards, some percent a year, and falls where validators are slashed. */
export const price: SharePrice = { symbol: 'shares', least: 80n, most: 200n }

const ALL = 1_000_000_000_000_000_000n
/** Places of the amounts. */
const DECIMALS = 18

/**
 * Computes the shares that an exit of an amount in wei burns, from the books alone: never more than the owner has free, and all of the owner's shares when the amount is
 * all that they are worth. The transaction itself is crafted from the vault's answers.
 *
 * @param reserveSeconds of the osToken's growth that stay covered
 */
export function promisedShares(amount: bigint, { owned, totalAssets, totalShares, minted }: ExitBooks, reserveSeconds: number): bigint {
  const worth = totalShares > 0n ? (owned * totalAssets) / totalShares : owned
  const covered = minted ? coverOf(minted, reserveSeconds) : 0n
  const free = worth > covered ? worth - covered : 0n
  const leaving = amount < free && !isDoubleOf(free, amount, DECIMALS) ? amount : free
  if (leaving === worth) return owned
  return totalAssets > 0n ? (leaving * totalShares) / totalAssets : leaving
}

/** Wei of stake that have to stay behind a debt, also after some time of its growth. */
function coverOf({ owed, allAssets, allShares, ltv, growth }: Minted, reserveSeconds: number): bigint {
  const worth = allShares > 0n ? (owed * allAssets) / allShares : owed
  return ((worth + (worth * growth * BigInt(reserveSeconds)) / ALL) * ALL) / ltv
}

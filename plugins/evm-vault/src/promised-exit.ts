/** The books that an exit is promised by, in wei and shares; percentages and growth are parts of 1e18. */
export interface ExitBooks {
  readonly owned: bigint
  readonly totalAssets: bigint
  readonly totalShares: bigint
  /** What the owner's osToken is worth, and what it may be of the stake that covers it; null without any. */
  readonly minted: { readonly assets: bigint; readonly ltv: bigint; readonly growth: bigint } | null
}

const ALL = 1_000_000_000_000_000_000n

/**
 * Shares that an exit of so many wei burns, from the books alone: never more than the owner has free, and all that he has when it is all
 * that they are worth. Beside what the vault itself says, which the transaction is crafted from.
 *
 * @param reserveSeconds of the osToken's growth that stay covered
 */
export function promisedShares(wanted: bigint, { owned, totalAssets, totalShares, minted }: ExitBooks, reserveSeconds: number): bigint {
  const worth = totalShares > 0n ? (owned * totalAssets) / totalShares : owned
  const covered = minted ? ((minted.assets + (minted.assets * minted.growth * BigInt(reserveSeconds)) / ALL) * ALL) / minted.ltv : 0n
  const free = worth > covered ? worth - covered : 0n
  const leaving = wanted < free ? wanted : free
  if (leaving === worth) return owned
  return totalAssets > 0n ? (leaving * totalShares) / totalAssets : leaving
}

/** Scale of percentages and of the osToken's growth: 1e18 is all of it. */
const WAD = 10n ** 18n
/** Below this, in wei, the protocol's own tools offer no exit beside an osToken debt: 0.00001 ETH. @see https://github.com/stakewise/v3-sdk (getMaxWithdrawAmount, read 2026-11-21) */
const MIN_EXIT = 10n ** 13n

/** Figures from which the price of shares follows: all wei and all shares of the vault. */
interface Price {
  readonly totalAssets: bigint
  readonly totalShares: bigint
}

/** Returns the worth of shares, in wei. */
export function assetsOf(shares: bigint, { totalAssets, totalShares }: Price): bigint {
  return totalShares === 0n ? shares : (shares * totalAssets) / totalShares
}

/** Computes the shares that an exit of an amount in wei takes, rounded down, unlike the shares that a deposit makes. */
export function sharesFor(assets: bigint, { totalAssets, totalShares }: Price): bigint {
  return totalAssets === 0n ? assets : (assets * totalShares) / totalAssets
}

/** A debt in osToken, and what it is covered by. */
export interface Debt {
  /** osToken owed. */
  readonly shares: bigint
  /** The same in wei. */
  readonly assets: bigint
  /** Loan to value, where 1e18 is all. */
  readonly ltv: bigint
  /** Growth of an osToken in a second, where 1e18 is all. */
  readonly growth: bigint
}

/**
 * Computes the largest amount that can be unstaked: the stake without the part that keeps the minted osToken covered, including some time of its growth.
 *
 * @param staked wei
 * @param reserveSeconds of growth that stay covered
 * @returns wei; 0 when nothing can be
 */
export function mostUnstakable(staked: bigint, debt: Debt, reserveSeconds: number): bigint {
  if (debt.shares === 0n) return staked
  if (debt.ltv <= 0n || staked < MIN_EXIT) return 0n
  const gap = (debt.growth * BigInt(reserveSeconds) * debt.assets) / WAD
  const locked = ((debt.assets + gap) * WAD) / debt.ltv
  const most = staked - locked
  return most <= MIN_EXIT ? 0n : most
}

import { compounded } from '@svc/contract'

/** Seconds of a year of 365 days, as the contract counts. Public contract sources (read 2026-11-21). */
const YEAR_SECONDS = 31_536_000
/** The yearly rate's scale: 100000 is all of the supply. */
const INFLATION_SCALE = 100_000n
/** Commission's scale: 10000 is all. */
const COMMISSION_SCALE = 10_000n
/** Decimal places of a percentage that are kept. */
const PLACES = 12

/**
 * Computes the annual rate from the chain's issuance, which is shared by stake among all active pools, and reduced by the pool's commission. Priority fees come on top and
 * cannot be foreseen.
 *
 * @param of supply (wei, at the last yearly step), yearly rate (of 100000), commission (of 10000), and the stake of all pools (wei)
 * @returns percent; 0 when nothing is staked
 */
export function annualRate(of: { supply: bigint; rate: bigint; commission: bigint; totalStake: bigint }): number {
  if (of.totalStake === 0n) return 0
  const net = of.supply * of.rate * (COMMISSION_SCALE - of.commission)
  const percent = (100n * 10n ** BigInt(PLACES) * net) / (INFLATION_SCALE * COMMISSION_SCALE * of.totalStake)
  return Number(percent) / 10 ** PLACES
}

/** Computes the annual yield when rewards are compounded once an epoch. @returns percent */
export function annualYield(ratePercent: number, epochSeconds: number): number {
  return compounded(ratePercent, YEAR_SECONDS / epochSeconds)
}

import { compounded } from '@svc/contract'
import { DEC_SCALE } from './chain.ts'
import { MOST_RATE, type YearlyIssuance } from './issuance.ts'

/** Compounding periods of a year: rewards are claimed and staked again once a day. */
const DAYS = 365

/** Quantities from which a delegator's rewards are computed. Shares are times `DEC_SCALE`. */
interface Yield {
  /** Bonded with all validators, base units. */
  readonly bonded: bigint
  /** Share of the issuance that the community pool takes first. */
  readonly communityTax: bigint
  /** Share of the rest that the validator takes. */
  readonly commission: bigint
}

/** Computes the percentage of the rewards that tax and commission take together. */
export function rewardFeePercent({ communityTax, commission }: Pick<Yield, 'communityTax' | 'commission'>): number {
  return percent(DEC_SCALE - kept(communityTax, commission))
}

/**
 * Computes the annual rate that a delegator receives, without compounding.
 *
 * @returns percent, 0 when nothing is bonded; null where the chain does not tell; undefined where it tells what cannot be, above 60 % of what is staked
 */
export function annualRatePercent(issued: YearlyIssuance, { bonded, communityTax, commission }: Yield): number | null | undefined {
  if (issued === null) return null
  if ('rate' in issued) return percent((issued.rate * (DEC_SCALE - commission)) / DEC_SCALE)
  if (bonded === 0n) return 0
  if (issued.amount > bonded * MOST_RATE) return undefined
  return percent((issued.amount * kept(communityTax, commission)) / (bonded * DEC_SCALE))
}

/** Computes the annual yield when rewards are staked again once a day. @returns percent */
export function annualYieldPercent(ratePercent: number): number {
  return compounded(ratePercent, DAYS)
}

/** Converts a share times `DEC_SCALE` to percent. */
export function percent(share: bigint): number {
  return Number(share) / 1e16
}

function kept(communityTax: bigint, commission: bigint): bigint {
  return ((DEC_SCALE - communityTax) * (DEC_SCALE - commission)) / DEC_SCALE
}

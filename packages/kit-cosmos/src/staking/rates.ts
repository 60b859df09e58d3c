import { compounded } from '@svc/contract'
import { DEC_SCALE } from './chain.ts'

/** Compounding periods of a year: rewards are claimed and staked again once a day. */
const DAYS = 365

/** What decides on a delegator's rewards. Shares are times `DEC_SCALE`, amounts in base units times `DEC_SCALE` where it says so. */
export interface Yield {
  /** Issued a year, base units times `DEC_SCALE`. */
  readonly provisions: bigint
  /** Bonded with all validators, base units. */
  readonly bonded: bigint
  /** Share of the issuance that the community pool takes first. */
  readonly communityTax: bigint
  /** Share of the rest that the validator takes. */
  readonly commission: bigint
}

/** Percent of the rewards that tax and commission take together. */
export function rewardFeePercent({ communityTax, commission }: Pick<Yield, 'communityTax' | 'commission'>): number {
  return percent(DEC_SCALE - kept(communityTax, commission))
}

/** Annual rate that a delegator receives, without compounding. @returns percent; 0 when nothing is bonded */
export function annualRatePercent({ provisions, bonded, communityTax, commission }: Yield): number {
  if (bonded === 0n) return 0
  return percent((provisions * kept(communityTax, commission)) / (bonded * DEC_SCALE))
}

/** Annual yield when rewards are staked again once a day. @returns percent */
export function annualYieldPercent(ratePercent: number): number {
  return compounded(ratePercent, DAYS)
}

/** A share times `DEC_SCALE`, as percent. */
export function percent(share: bigint): number {
  return Number(share) / 1e16
}

function kept(communityTax: bigint, commission: bigint): bigint {
  return ((DEC_SCALE - communityTax) * (DEC_SCALE - commission)) / DEC_SCALE
}

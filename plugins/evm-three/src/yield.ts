import { compounded } from '@svc/contract'

/** Seconds of a year of 365 days, as annual rates are quoted. */
const YEAR_SECONDS = 31_536_000
/** The accumulator's scale. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
const ACCUMULATOR_SCALE = 10n ** 36n
/** Commission's scale: 1e18 is all. */
const COMMISSION_SCALE = 10n ** 18n
/** Digits kept of a ratio of two amounts before it becomes a percentage. */
const RATIO_SCALE = 10n ** 30n

export interface Sample {
  readonly seconds: number
  /** Rewards per staked token since the validator began, scaled by 1e36. */
  readonly accumulator: bigint
}

/**
 * Computes the annual rate from the chain's issuance: a validator proposes in proportion to stake, so that a delegator's share of a block's reward is its share of the
 * active stake, less commission.
 *
 * @returns percent; 0 when nothing is staked
 */
export function annualRate(of: { rewardPerBlock: bigint; blockSeconds: number; commission: bigint; totalStake: bigint }): number {
  if (of.totalStake === 0n) return 0
  const perBlock = (of.rewardPerBlock * (COMMISSION_SCALE - of.commission) * RATIO_SCALE) / (COMMISSION_SCALE * of.totalStake)
  return (100 * (Number(perBlock) / Number(RATIO_SCALE)) * YEAR_SECONDS) / of.blockSeconds
}

/** Computes the annual rate that a staked token earned between two samples, net of commission and missed proposals. @returns percent */
export function measuredRate(from: Sample, to: Sample): number {
  const earned = Number(((to.accumulator - from.accumulator) * RATIO_SCALE) / ACCUMULATOR_SCALE) / Number(RATIO_SCALE)
  return (100 * earned * YEAR_SECONDS) / (to.seconds - from.seconds)
}

/**
 * Tells whether one sample of a validator can precede the other. The accumulator never falls, and grows by the yield of a stake: above 100 percent a year, seven times the
 * chain's rate, one of the two must be false. Over less than an hour a block's reward can look larger, so that an hour is the least time that counts.
 */
export function isPlausible(before: Sample, after: Sample): boolean {
  if (after.accumulator < before.accumulator) return false
  const hour = { ...after, seconds: Math.max(after.seconds, before.seconds + 3_600) }
  return measuredRate(before, hour) <= 100
}

/** Computes the annual yield when rewards are compounded once an epoch. @returns percent */
export function annualYield(ratePercent: number, epochMinutes: number): number {
  return compounded(ratePercent, YEAR_SECONDS / (epochMinutes * 60))
}

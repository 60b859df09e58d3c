import type { Pool } from './chain/pool.ts'

/** Seconds of a year of 365 days, as annual rates are quoted. */
const YEAR_SECONDS = 31_536_000
/** Fees on rewards: commission's scale is 1e18, basis points are parts of 1e4. */
const FULL_COMMISSION = 10n ** 18n
const FULL_POINTS = 10_000n
/** Digits kept of a ratio of two amounts before it becomes a rate. */
const RATIO_SCALE = 10n ** 30n

/** A fall of the price by less than one part of this is rounding. */
const PRICE_DUST = 10n ** 12n

/** The pool's books at a time of the chain. */
export interface Sample {
  readonly seconds: number
  readonly pool: Pool
}

export interface Rates {
  readonly aprPercent: number
  readonly apyPercent: number
}

/**
 * Combines both fees on rewards into one: the pool takes its part of the rewards that the validators leave.
 *
 * @param commission of 1e18
 * @param points the pool's fee in basis points
 * @returns percent of rewards
 */
export function combinedFee(commission: bigint, points: bigint): number {
  const whole = FULL_COMMISSION * FULL_POINTS
  const remainder = (FULL_COMMISSION - commission) * (FULL_POINTS - points)
  return Number(whole - remainder) / 1e20
}

/**
 * Computes annual rates from the growth of a share, which is net of every fee. Growth compounds by itself, so that it is a yield; the rate is the one that, compounded once
 * an epoch, makes that yield.
 */
export function measuredRates(from: Sample, to: Sample, epochSeconds: number): Rates {
  const grown = (to.pool.assets + 1n) * (from.pool.shares + 1n) * RATIO_SCALE
  const growth = Number(grown / ((to.pool.shares + 1n) * (from.pool.assets + 1n))) / Number(RATIO_SCALE)
  const epochs = (to.seconds - from.seconds) / epochSeconds
  const perEpoch = Math.expm1(Math.log(growth) / epochs)
  return ratesOf(perEpoch, epochSeconds)
}

/**
 * Tells whether one sample of the pool can precede the other: a share's price does not fall, since there is no slashing, and does not double in a year, five times the
 * chain's rate. Over less than an hour a deposit's rounding or a harvest can look larger, so that an hour is the least time that counts.
 */
export function isPlausible(from: Sample, to: Sample): boolean {
  const [before, after] = [(from.pool.assets + 1n) * (to.pool.shares + 1n), (to.pool.assets + 1n) * (from.pool.shares + 1n)]
  // A share's price is rounded down by a wei here and there.
  if (after * PRICE_DUST < before * (PRICE_DUST - 1n)) return false
  const seconds = BigInt(Math.max(Math.floor(to.seconds - from.seconds), 3_600))
  return (after - before) * BigInt(YEAR_SECONDS) <= before * seconds
}

/**
 * Computes annual rates from the chain's issuance: a validator proposes in proportion to stake, so that a staked token earns its share of each block's reward, less the
 * fees.
 *
 * @param of amounts in wei; the fee is percent of rewards
 */
export function issuedRates(
  of: { rewardPerBlock: bigint; blockSeconds: number; totalStake: bigint; feePercent: number },
  epochSeconds: number,
): Rates {
  if (of.totalStake === 0n) return { aprPercent: 0, apyPercent: 0 }
  const perBlock = Number((of.rewardPerBlock * RATIO_SCALE) / of.totalStake) / Number(RATIO_SCALE)
  return ratesOf((perBlock * epochSeconds * (1 - of.feePercent / 100)) / of.blockSeconds, epochSeconds)
}

function ratesOf(perEpoch: number, epochSeconds: number): Rates {
  const epochs = YEAR_SECONDS / epochSeconds
  return { aprPercent: 100 * perEpoch * epochs, apyPercent: 100 * Math.expm1(epochs * Math.log1p(perEpoch)) }
}

import type { Rate } from './chain/layouts.ts'

/** Epochs of a year, as annual rates of this chain are quoted: an epoch is a day. */
const EPOCHS_PER_YEAR = 365
/** Growth of an epoch that counts: between nothing and what would be ten percent a year. What large moves of stake make of a rate is neither. */
const HIGHEST_APY = 0.1
/** Growths that the mean is taken of, the newest. */
const SAMPLES = 30
/** Digits kept of a ratio of two rates before it becomes a floating-point number. */
const RATIO_SCALE = 10n ** 30n

/** Annual rates as fractions. */
interface Yield {
  readonly apr: number
  readonly apy: number
}

/**
 * Computes annual rates from the growth of a pool's token, as the node's retired `suix_getValidatorsApy` did. Commission is taken before rewards enter a pool, so that the
 * growth is net of it; rewards compound by themselves.
 *
 * @param rates of one epoch after the other, newest first, gaps filled
 * @returns zeros where nothing grew
 * @see https://github.com/MystenLabs/sui/blob/mainnet-v1.55.3/crates/sui-json-rpc/src/governance_api.rs (read 2026-11-21)
 */
export function yieldOf(rates: readonly Rate[]): Yield {
  const growths: number[] = []
  let newer: Rate | undefined
  for (const rate of rates) {
    if (growths.length === SAMPLES) break
    const growth = newer === undefined ? 0 : growthOf(rate, newer)
    const apy = apyOf(growth)
    if (apy > 0 && apy < HIGHEST_APY) growths.push(growth)
    newer = rate
  }
  return { apr: EPOCHS_PER_YEAR * mean(growths), apy: mean(growths.map(apyOf)) }
}

/** Works out how much dearer a token became: 0.0001 is a hundredth of a percent. */
function growthOf(from: Rate, to: Rate): number {
  const [before, after] = [priced(from), priced(to)]
  const grown = after.sui * before.tokens - before.sui * after.tokens
  return Number((grown * RATIO_SCALE) / (before.sui * after.tokens)) / Number(RATIO_SCALE)
}

/** A rate that can be divided by: one to one where it says nothing. */
function priced(rate: Rate): Rate {
  return rate.sui === 0n || rate.tokens === 0n ? { sui: 1n, tokens: 1n } : rate
}

function apyOf(growth: number): number {
  return Math.expm1(EPOCHS_PER_YEAR * Math.log1p(growth))
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}

import { formatAmount } from '@svc/contract'
import type { Fee } from './chain/pool.ts'
import type { Books } from './chain/price.ts'

/** Seconds of a Julian year, by which the chain's own rates are annual. */
const YEAR_SECONDS = 365.25 * 86_400
const PARTS = 10n ** 18n

interface Rates {
  readonly aprPercent: number
  readonly apyPercent: number
}

/**
 * Computes annual rates from the last update of the pool's price, for epochs of the given length. The price is net of the validators' commissions and the pool's own fee.
 *
 * @returns null while the pool has no price of before
 */
export function ratesOf(now: Books, before: Books, epochSeconds: number): Rates | null {
  const unchanged = now.supply * before.totalLamports
  if (unchanged === 0n) return null
  const growth = Number(((now.totalLamports * before.supply - unchanged) * PARTS) / unchanged) / Number(PARTS)
  const epochs = YEAR_SECONDS / epochSeconds
  return { aprPercent: 100 * growth * epochs, apyPercent: 100 * ((1 + growth) ** epochs - 1) }
}

/** Converts a fee of a pool into percent; 0 where its denominator is 0. Not exact: for what people read, never for an amount. */
export function percentOf({ numerator, denominator }: Fee): number {
  return denominator === 0n ? 0 : (100 * Number(numerator)) / Number(denominator)
}

/** Decimal places of a fee's percentage as text: a fee is a fraction, which need not end. */
const PERCENT_DECIMALS = 18

/** Writes a fee of a pool as percent in decimal text, exact where it ends within 18 places, else cut there. */
export function percentText({ numerator, denominator }: Fee): string {
  return denominator === 0n ? '0' : formatAmount((100n * numerator * PARTS) / denominator, PERCENT_DECIMALS)
}

/** Combines two fees on rewards into one: the second is taken from the rest that the first leaves. All in percent. */
export function combinedFee(first: number, second: number): number {
  return first + second - (first * second) / 100
}

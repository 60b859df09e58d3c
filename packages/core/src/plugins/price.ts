/** US dollars for one token, exactly as the source's decimal text says: `digits` divided by ten to the power of `scale`. */
export interface Price {
  readonly digits: bigint
  readonly scale: number
  /** Time to which the price applies. */
  readonly at: Date
}

/** Longest text of a price that is read, in characters: a double written out in full has 17 significant digits, and with 20 zeros before them it is below any bound. */
const MOST_TEXT = 60
/**
 * Bounds of the price of one native token, in US dollars. The dearest staked token has been worth thousands, and no token of any chain a million; the cheapest
 * is worth millionths of a cent. A price beyond these bounds is a mistake of the source, and would be one of ours by the time it is multiplied.
 */
const LEAST = { digits: 1n, scale: 9 }
const MOST = { digits: 10_000_000n, scale: 0 }

/**
 * Reads the source text of a JSON number as a price.
 *
 * @returns null when it is no positive decimal number, or none that a token can cost: from 0.000000001 to 10,000,000 dollars
 */
export function readPrice(text: string): Pick<Price, 'digits' | 'scale'> | null {
  const match = text.length <= MOST_TEXT ? /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text) : null
  if (!match) return null
  const [, whole = '', fraction = '', exponent = '0'] = match
  const shift = Number(exponent) - fraction.length
  const price = { digits: BigInt(whole + fraction) * 10n ** BigInt(Math.max(shift, 0)), scale: Math.max(-shift, 0) }
  return compared(price, LEAST) < 0n || compared(price, MOST) > 0n ? null : price
}

/**
 * Computes the worth of an amount in whole cents, rounding half a cent up. No step passes through a floating-point number.
 *
 * @param units base units of a token with so many `decimals`
 */
export function centsOf(units: bigint, decimals: number, { digits, scale }: Pick<Price, 'digits' | 'scale'>): bigint {
  const divisor = 10n ** BigInt(decimals + scale)
  return (2n * units * digits * 100n + divisor) / (2n * divisor)
}

/** Compares two prices; below zero when `a` is less than `b`. */
function compared(a: Pick<Price, 'digits' | 'scale'>, b: Pick<Price, 'digits' | 'scale'>): bigint {
  return a.digits * 10n ** BigInt(b.scale) - b.digits * 10n ** BigInt(a.scale)
}

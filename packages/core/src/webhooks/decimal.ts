/** A decimal of at least 0, as this service writes amounts. */
export const DECIMAL = /^(0|[1-9]\d{0,39})(\.\d{1,40})?$/

/**
 * Tells whether one decimal is at least as large as another, compared digit by digit.
 *
 * @throws RangeError when one of them is none
 */
export function atLeast(amount: string, least: string): boolean {
  const [one, other] = [partsOf(amount), partsOf(least)]
  const digits = Math.max(one.fraction.length, other.fraction.length)
  const scaled = ({ whole, fraction }: Parts) => BigInt(whole + fraction.padEnd(digits, '0'))
  return scaled(one) >= scaled(other)
}

interface Parts {
  readonly whole: string
  readonly fraction: string
}

function partsOf(decimal: string): Parts {
  if (!DECIMAL.test(decimal)) throw new RangeError(`${JSON.stringify(decimal)} is not a decimal like 12.5.`)
  const [whole = '', fraction = ''] = decimal.split('.')
  return { whole, fraction }
}

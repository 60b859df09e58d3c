import { type TUnsafe, Type } from 'typebox'
import { badRequest } from './codes.ts'
import { type ExactNumber, exactNumber } from './json.ts'
import { membersOf } from './members.ts'

/** Largest amount that any chain here can carry: a uint256. */
const MAX_UNITS = (1n << 256n) - 1n
/** Largest number of base units accepted for any token, with plenty of room: the largest supply of a chain here is 10^29. */
export const MOST_UNITS = (1n << 128n) - 1n
/** A decimal text, for the document; what is accepted is up to `parseAmount`. */
const DECIMAL = '^[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,4})?$'
/** Longest amount text that is looked at: 78 digits of a uint256, its decimals, sign and exponent fit well. */
const MAX_TEXT = 200

interface AmountOptions {
  /** Decimal places of the token. @default those of the kit's native token */
  readonly decimals?: number
  /** Smallest amount accepted, as a decimal text; without it any amount above zero. */
  readonly minimum?: string
  readonly description?: string
}

/** Mark that `Amount()` leaves on the schema for the pipeline. */
export interface AmountMark {
  readonly decimals?: number
  readonly minimum?: string
}

/**
 * Makes the schema of a body member that is an amount: on the wire a JSON number (or a decimal text) in tokens, in the plugin a `bigint` of base units. Its value is read
 * from the number's source text, never from the double.
 */
export function Amount(options: AmountOptions = {}): TUnsafe<bigint> {
  const { decimals, minimum, description } = options
  const mark: AmountMark = { ...(decimals === undefined ? {} : { decimals }), ...(minimum === undefined ? {} : { minimum }) }
  const bound = minimum === undefined ? { exclusiveMinimum: 0 } : { minimum: Number(minimum) }
  return Type.Unsafe<bigint>({
    type: ['number', 'string'],
    ...bound,
    pattern: DECIMAL,
    description:
      `${description ?? 'Amount in native tokens.'} Read exactly, digit by digit, from the number as written; ` +
      'the same decimal as a string is for languages without exact numbers.',
    examples: [minimum === undefined ? 1.5 : Number(minimum)],
    'x-amount': mark,
  })
}

/** Returns the mark that `Amount()` left on the schema of a member; undefined for a member that is no amount. */
export function amountMark(schema: unknown): AmountMark | undefined {
  // Only `Amount()` writes the mark.
  return membersOf(schema)['x-amount'] as AmountMark | undefined
}

/**
 * Reads a decimal text exactly.
 *
 * @param text a JSON number's source text or a decimal string; exponents are read exactly
 * @param decimals decimal places of the token
 * @param name member named in the sentence
 * @returns base units
 * @throws 400 AMOUNT_INVALID when it is not a number, negative, finer than the token, or above a uint256
 */
export function parseAmount(text: string, decimals: number, name = 'amount'): bigint {
  const excerpt = text.length > 60 ? `${text.slice(0, 60)}…` : text
  const parts = partsOf(text, decimals)
  if (!parts) throw badRequest('AMOUNT_INVALID', `${name} "${excerpt}" is not a decimal number such as 1.5.`)
  const { negative, digits, shift } = parts
  if (negative && digits !== 0n) throw badRequest('AMOUNT_INVALID', `${name} ${excerpt} is negative; it must be above zero.`)
  if (digits === 0n) return 0n
  const units = shift < 0 ? dividedBy(digits, -shift) : shift > 100 ? MAX_UNITS + 1n : digits * 10n ** BigInt(shift)
  if (units === null) throw badRequest('AMOUNT_INVALID', `${name} ${excerpt} has more decimals than the token, which has ${decimals}.`)
  if (units > MAX_UNITS) throw badRequest('AMOUNT_INVALID', `${name} ${excerpt} is larger than any chain can carry.`)
  return units
}

/** Tells whether a text is a positive decimal number that has more decimals than the token. */
export function isFinerThan(text: string, decimals: number): boolean {
  const parts = partsOf(text, decimals)
  return parts !== null && !parts.negative && parts.digits !== 0n && parts.shift < 0 && dividedBy(parts.digits, -parts.shift) === null
}

/** Takes a decimal text apart: its base units are `digits` times ten to the power of `shift`. null when it is none. */
function partsOf(text: string, decimals: number): { readonly negative: boolean; readonly digits: bigint; readonly shift: number } | null {
  const match = text.length <= MAX_TEXT ? /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(text) : null
  if (!match) return null
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  return { negative: sign === '-', digits: BigInt(whole + fraction), shift: decimals - fraction.length + Number(exponent) }
}

/** Takes `places` zeros off the end of digits; null when there are not so many. */
function dividedBy(digits: bigint, places: number): bigint | null {
  if (places > MAX_TEXT) return null
  const divisor = 10n ** BigInt(places)
  return digits % divisor === 0n ? digits / divisor : null
}

/** Formats base units as an exact decimal text in tokens, without trailing zeros: `1500000000000000000n, 18` is `1.5`. */
export function formatAmount(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const cut = digits.length - decimals
  const fraction = digits.slice(cut).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction && `.${fraction}`}`
}

/** Formats base units as a JSON number in tokens whose text is exact. */
export function amountNumber(units: bigint, decimals: number): ExactNumber {
  return exactNumber(formatAmount(units, decimals))
}

/**
 * Limits an amount to the maximum available. A JSON number cannot always carry all decimals of a balance, so an amount that exceeds the maximum by less than the precision
 * of a JSON number means all of it.
 *
 * @param amount base units asked for
 * @param maximum base units there are
 * @returns `amount` when it is covered, `maximum` when the excess is smaller than one unit in the last place of the double nearest
 *   to the maximum, null when it is more
 */
export function atMost(amount: bigint, maximum: bigint, decimals: number): bigint | null {
  if (amount <= maximum) return amount
  if (maximum <= 0n) return null
  const exponent = lastPlaceExponent(Number(formatAmount(maximum, decimals)))
  const scale = 10n ** BigInt(decimals)
  const excess = amount - maximum
  const within = exponent >= 0 ? excess < scale << BigInt(exponent) : excess << BigInt(-exponent) < scale
  return within ? maximum : null
}

/**
 * Tells whether an amount means the whole of a maximum: it equals the maximum, exceeds it by less than the precision of a JSON number, or is the maximum as a double prints
 * it, which may be less. Used for exits that are counted in shares, where the rest would be worth too little to be taken out.
 *
 * @param amount base units asked for
 * @param maximum base units there are
 */
export function meansAll(amount: bigint, maximum: bigint, decimals: number): boolean {
  if (maximum === 0n || amount >= maximum) return atMost(amount, maximum, decimals) === maximum && amount > 0n
  return amount === parseAmount(String(Number(formatAmount(maximum, decimals))), decimals)
}

/** Computes the power of two of one unit in the last place of a positive double (IEEE 754 binary64: 11 exponent bits, bias 1023, 52 fraction bits). */
function lastPlaceExponent(value: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const biased = (view.getUint16(0) >> 4) & 0x7ff
  return Math.max(biased, 1) - 1023 - 52
}

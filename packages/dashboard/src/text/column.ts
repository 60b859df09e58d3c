import { grouped, shortened } from './amount.ts'

/** Digits after the point that a column of amounts shows of every asset: stable under any change of price. */
const PLACES = 4

/** An amount as a column shows it, in line with the points of all others. */
interface ColumnText {
  /** Sign, groups and digits: `−0.1157`; `< 0.0001` of what is too small to be seen, and never a bare zero. */
  readonly text: string
  /** True if digits follow that are not shown. */
  readonly cut: boolean
  /** Point and digits that are missing behind the text, as a place of their width: `.0000`. */
  readonly rest: string
  readonly look: 'plain' | 'zero' | 'negative'
}

/**
 * Writes decimal text for a column: cut towards zero after four places, so that what is shown are true digits. No float comes near it. What is no decimal stays as it is.
 *
 * @param signed whether what is above zero has a sign too
 */
export function inColumn(value: string, signed = false): ColumnText {
  const [, minus, whole, fraction = ''] = /^([-−]?)(\d+)(?:\.(\d+))?$/.exec(value) ?? []
  if (whole === undefined) return { text: value, cut: false, rest: '', look: 'plain' }
  if (!/[1-9]/.test(whole + fraction)) return { text: '0', cut: false, rest: restOf(0), look: 'zero' }
  const look = minus === '' ? 'plain' : 'negative'
  const { text, cut } = shortened(`${whole}.${fraction.padEnd(PLACES, '0')}`, PLACES)
  if (!/[1-9]/.test(text)) return { text: minus === '' ? '< 0.0001' : '> −0.0001', cut: false, rest: '', look }
  const sign = minus === '' ? (signed ? '+' : '') : '−'
  const digits = cut ? text : text.replace(/\.?0+$/, '')
  const places = digits.split('.')[1]?.length ?? 0
  return { text: `${sign}${grouped(digits)}`, cut, rest: restOf(places), look }
}

/** Returns the place of the digits that are missing. */
function restOf(places: number): string {
  if (places === 0) return `.${'0'.repeat(PLACES)}`
  return '0'.repeat(PLACES - places)
}

/** Longest whole number that a column shows with all its digits. */
const LONGEST = 12

/** Writes a whole number, such as base units of an asset whose decimals are not known, for a column: of a long one its first digits and its size, `+1.3628…e20`. */
export function inUnits(value: string, signed = false): string {
  const [, minus, digits] = /^([-−]?)(\d+)$/.exec(value) ?? []
  if (digits === undefined) return value
  const sign = minus !== '' ? '−' : signed ? '+' : ''
  if (digits.length <= LONGEST) return `${sign}${grouped(digits)}`
  return `${sign}${digits.slice(0, 1)}.${digits.slice(1, 1 + PLACES)}…e${digits.length - 1}`
}

/** Writes the whole units of an amount, and tells whether a part of one is left out. */
export function inWhole(value: string): { readonly text: string; readonly cut: boolean } {
  const { text, cut } = shortened(value, 0)
  return { text: grouped(text.replace(/^-/, '−')), cut }
}

/** Writes a rate in percent with two places, cut towards zero: `6.38 %`. */
export function percentText(value: string): string {
  const [, minus, whole, fraction = ''] = /^([-−]?)(\d+)(?:\.(\d+))?$/.exec(value) ?? []
  if (whole === undefined) return value
  const text = `${grouped(whole)}.${fraction.slice(0, 2).padEnd(2, '0')}`
  return `${minus === '' || !/[1-9]/.test(text) ? '' : '−'}${text}\u00a0%`
}

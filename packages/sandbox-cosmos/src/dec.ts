/**
 * A decimal number with 18 places, as an integer of 10^-18: the chain's own arithmetic, in which every operation says how it rounds.
 *
 * @see cosmossdk.io/math, LegacyDec, version 1.4 (read 2026-11-21)
 */
export type Dec = bigint

/** 1. */
export const one: Dec = 10n ** 18n

/** Converts an integer to a decimal. */
export function toDec(integer: bigint): Dec {
  return integer * one
}

/**
 * Reads decimal text with at most 18 places: `0.05`.
 *
 * @throws RangeError for anything else, with the text in it
 */
export function parseDec(text: string): Dec {
  const parts = /^(\d+)(?:\.(\d{1,18}))?$/.exec(text)
  if (parts === null)
    throw new RangeError(`${JSON.stringify(text)} is not a decimal: it must be digits with at most one point and 18 places`)
  return BigInt(parts[1] + (parts[2] ?? '').padEnd(18, '0'))
}

/** Formats a decimal with all 18 places, as the chain prints it in its messages. */
export function formatDec(value: Dec): string {
  const digits = (value < 0n ? -value : value).toString().padStart(19, '0')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -18)}.${digits.slice(-18)}`
}

/** Multiplies, and rounds to the nearest, halves to even. */
export function mul(a: Dec, b: Dec): Dec {
  return round(a * b)
}

/** Multiplies, and truncates. */
export function mulTruncate(a: Dec, b: Dec): Dec {
  return (a * b) / one
}

/** Divides, and rounds to the nearest, halves to even. */
export function quo(a: Dec, b: Dec): Dec {
  return round((a * one * one) / b)
}

/** Divides, and truncates. */
export function quoTruncate(a: Dec, b: Dec): Dec {
  return (a * one) / b
}

/** Divides, and rounds up; for numbers that are not negative. */
export function quoRoundUp(a: Dec, b: Dec): Dec {
  return (a * one + b - 1n) / b
}

/** Returns the integer part of a decimal. */
export function truncate(value: Dec): bigint {
  return value / one
}

/** Returns the nearest integer, halves to even. */
export function round(value: Dec): bigint {
  if (value < 0n) return -round(-value)
  const whole = value / one
  const rest = (value % one) * 2n
  if (rest > one || (rest === one && whole % 2n === 1n)) return whole + 1n
  return whole
}

/** Returns the smallest integer that is not below a decimal; for numbers that are not negative. */
export function ceil(value: Dec): bigint {
  return (value + one - 1n) / one
}

/** Returns the smaller of two numbers. */
export function smaller(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** Returns the larger of two numbers. */
export function larger(a: bigint, b: bigint): bigint {
  if (a > b) return a
  return b
}

/** Writes a decimal as it is sent in a bytes field: the digits of the integer, in ASCII. */
export function decBytes(value: Dec): Uint8Array {
  return new TextEncoder().encode(value.toString())
}

/**
 * Reads an amount in decimal text as base units: `1.5` with 18 decimals is 1500000000000000000n.
 *
 * @returns null when the text is no plain decimal number, or has more decimals than that
 */
export function parseUnits(text: string, decimals: number): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** Formats base units as plain decimal text, without trailing zeros. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return `${units < 0n ? '-' : ''}${whole}${decimals > 0 && fraction !== '' ? `.${fraction}` : ''}`
}

/**
 * Tells whether `amount` equals `all` after `all` was read as a double and written again in its shortest digits, as a language whose numbers are doubles does.
 *
 * @see https://tc39.es/ecma262/#sec-numeric-types-number-tostring (read 2026-11-28)
 */
export function isDoubleOf(all: bigint, amount: bigint, decimals: number): boolean {
  const [whole = '', fraction = ''] = String(Number(formatUnits(all, decimals))).split('.')
  // With an exponent it is so small that its digits are all there, or so large that nobody has it.
  return /^\d+$/.test(whole + fraction) && fraction.length <= decimals && BigInt(whole + fraction.padEnd(decimals, '0')) === amount
}

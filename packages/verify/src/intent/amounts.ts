/**
 * Base units of an amount in decimal text: `1.5` with 18 decimals is 1500000000000000000n.
 *
 * @returns null when the text is no plain decimal number, or has more decimals than that
 */
export function parseUnits(text: string, decimals: number): bigint | null {
  const [, whole, fraction = ''] = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(text) ?? []
  if (whole === undefined || fraction.length > decimals) return null
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}

/** An amount of base units as plain decimal text, without trailing zeros. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0')
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const whole = digits.slice(0, digits.length - decimals)
  return `${units < 0n ? '-' : ''}${whole}${decimals > 0 && fraction !== '' ? `.${fraction}` : ''}`
}

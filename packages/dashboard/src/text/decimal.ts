/** Counts the most digits that decimal texts have behind the point; null is none. */
export function placesOf(texts: readonly (string | null)[]): number {
  return texts.reduce((most, text) => Math.max(most, text?.split('.')[1]?.length ?? 0), 0)
}

/** Reads decimal text as a whole number of the smallest unit with so many places, exactly; null where it is no decimal, or has more places than that. */
export function unitsOf(text: string | null, places: number): bigint | null {
  const [, sign, whole, fraction = ''] = /^([-−]?)(\d+)(?:\.(\d+))?$/.exec(text ?? '') ?? []
  if (whole === undefined || fraction.length > places) return null
  const units = BigInt(whole + fraction.padEnd(places, '0'))
  return sign === '' ? units : -units
}

/** Writes units with so many places as decimal text, without zeros at the end. */
export function decimalText(units: bigint, places: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const fraction = digits.slice(digits.length - places).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

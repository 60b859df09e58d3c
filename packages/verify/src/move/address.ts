/**
 * Writes an address in the form that the bytes have: `0x` and 64 hex digits in lower case.
 *
 * @param text hex digits, with or without `0x`; those in front may be missing
 * @throws RangeError when it is none
 */
export function longAddress(text: string): string {
  const digits = /^(?:0[xX])?([0-9a-fA-F]{1,64})$/.exec(text)?.[1]
  if (digits === undefined) throw new RangeError(`${text} is not an address: 0x and up to 64 hex digits`)
  return `0x${digits.toLowerCase().padStart(64, '0')}`
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Writes bytes as base58 in the alphabet of Bitcoin. @see https://datatracker.ietf.org/doc/html/draft-msporny-base58-03 (read 2026-11-21) */
export function base58(bytes: Uint8Array): string {
  const digits: number[] = []
  for (const byte of bytes) {
    let carry = byte
    for (const [i, digit] of digits.entries()) {
      carry += digit << 8
      digits[i] = carry % 58
      carry = Math.floor(carry / 58)
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58)
  }
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return (
    '1'.repeat(zeros === -1 ? bytes.length : zeros) +
    digits
      .reverse()
      .map((digit) => ALPHABET[digit])
      .join('')
  )
}

/** Decodes a base58 text of 32 bytes; null for any other text. */
export function keyOf(text: unknown): Buffer | null {
  if (typeof text !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null
  let value = 0n
  for (const digit of text) value = value * 58n + BigInt(ALPHABET.indexOf(digit))
  const hex = value.toString(16).padStart(64, '0')
  const key = hex.length === 64 ? Buffer.from(hex, 'hex') : null
  return key && base58(key) === text ? key : null
}

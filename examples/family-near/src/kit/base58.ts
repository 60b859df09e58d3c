/** Bitcoin's alphabet, which NEAR uses. @see https://nomicon.io/DataStructures (read 2026-11-23) */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Writes bytes in base58. */
export function toBase58(bytes: Uint8Array): string {
  let value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; value > 0n; value /= 58n) text = ALPHABET.charAt(Number(value % 58n)) + text
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros === -1 ? bytes.length : zeros) + text
}

/** Reads base58 of exactly 32 bytes; null for any other text. */
export function from32Base58(text: string): Buffer | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null
  let value = 0n
  for (const digit of text) value = value * 58n + BigInt(ALPHABET.indexOf(digit))
  if (value >> 256n !== 0n) return null
  const bytes = Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
  return toBase58(bytes) === text ? bytes : null
}

const DIGITS = '0123456789abcdef'
const PAIRS = Array.from({ length: 256 }, (_, byte) => `${DIGITS[byte >> 4]}${DIGITS[byte & 15]}`)

/** Decodes a `0x` hex text in either case. @returns null when the text is not `0x` followed by an even number of hex digits */
export function bytesOf(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !text.startsWith('0x')) return null
  const bytes = new Uint8Array(text.length / 2 - 1)
  for (let i = 0; i < bytes.length; i++) {
    const high = digit(text.charCodeAt(2 * i + 2))
    const low = digit(text.charCodeAt(2 * i + 3))
    if (high < 0 || low < 0) return null
    bytes[i] = high * 16 + low
  }
  return bytes
}

/** Writes `bytes` as hex digits in lower case, without `0x`. */
export function digitsOf(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += PAIRS[byte]
  return text
}

/** Reads bytes as a big-endian unsigned integer; no bytes are 0. */
export function integerOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${digitsOf(bytes)}`)
}

function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

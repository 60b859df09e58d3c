import { integerOf } from './hex.ts'

/** Bitcoin's alphabet, which Solana uses: https://solana.com/docs/core/accounts (read 2026-11-21). */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** 58^5 fits a double exactly, so five digits at a time need no big division. */
const CHUNK = 5
const CHUNK_SIZE = 58n ** BigInt(CHUNK)

/** A signature, the longest text of this format, has 88 characters. */
const MAX_TEXT = 88

/** Length in bytes of an address, a block hash and a nonce. */
export const KEY_LENGTH = 32

/** Encodes bytes in base58 without checksum; every leading zero byte becomes a `1`. */
export function base58(bytes: Uint8Array): string {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++

  let text = ''
  for (let rest = integerOf(bytes); rest > 0n; rest /= CHUNK_SIZE) {
    let chunk = Number(rest % CHUNK_SIZE)
    for (let i = 0; i < CHUNK; i++) {
      text = ALPHABET[chunk % 58] + text
      chunk = Math.floor(chunk / 58)
    }
  }
  return '1'.repeat(zeros) + text.replace(/^1+/, '')
}

/** Decodes a base58 text. @returns null when a character is no base58 digit, or when the text is longer than that of any 64 bytes */
export function bytesOfBase58(text: string): Uint8Array | null {
  if (text.length > MAX_TEXT) return null
  let value = 0n
  for (let at = 0; at < text.length; at += CHUNK) {
    const digits = text.slice(at, at + CHUNK)
    let chunk = 0
    for (const character of digits) {
      const digit = ALPHABET.indexOf(character)
      if (digit < 0) return null
      chunk = chunk * 58 + digit
    }
    value = value * (digits.length === CHUNK ? CHUNK_SIZE : 58n ** BigInt(digits.length)) + BigInt(chunk)
  }
  let zeros = 0
  while (zeros < text.length && text[zeros] === '1') zeros++

  const digits = value === 0n ? '' : value.toString(16)
  const length = zeros + Math.ceil(digits.length / 2)
  const bytes = new Uint8Array(length)
  for (let end = digits.length, at = length - 1; end > 0; end -= 2, at--) {
    bytes[at] = Number.parseInt(digits.slice(Math.max(0, end - 2), end), 16)
  }
  return bytes
}

/** Tells whether a text is an address: base58 of exactly 32 bytes. */
export function isAddress(text: string): boolean {
  return bytesOfBase58(text)?.length === KEY_LENGTH
}

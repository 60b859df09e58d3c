/** Bitcoin's alphabet. @see https://solana.com/docs/core/accounts (read 2026-11-21) */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/** Bytes of a key. */
const KEY_BYTES = 32
/** Keys whose text is remembered, the oldest first: those of programs and sysvars stand in each transaction, and each takes 5 µs to spell. */
const REMEMBERED = 1000
const texts = new Map<string, string>()

/** Encodes bytes in base58; web3.js has a function for 32 bytes of a key only. */
export function base58(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')
  if (bytes.length !== KEY_BYTES) return spelled(hex)
  const spelling = texts.get(hex)
  if (spelling !== undefined) return spelling
  const text = spelled(hex)
  const [oldest] = texts.size >= REMEMBERED ? texts.keys() : []
  if (oldest !== undefined) texts.delete(oldest)
  texts.set(hex, text)
  return text
}

function spelled(hex: string): string {
  const zeros = (/^(?:00)*/.exec(hex)?.[0].length ?? 0) / 2
  let text = ''
  for (let rest = BigInt(`0x0${hex}`); rest > 0n; rest /= 58n) text = ALPHABET[Number(rest % 58n)] + text
  return '1'.repeat(zeros) + text
}

/** Longest base58 text that is read: of 64 bytes it has 88 digits at most. */
const MOST_DIGITS = 88

/** Returns the bytes of a base58 text; null when it is none, or of more than 88 digits. */
export function bytesOfBase58(text: string): Buffer | null {
  if (text === '' || text.length > MOST_DIGITS || [...text].some((digit) => !ALPHABET.includes(digit))) return null
  const value = [...text].reduce((sum, digit) => sum * 58n + BigInt(ALPHABET.indexOf(digit)), 0n)
  const digits = value === 0n ? '' : value.toString(16)
  return Buffer.from(digits.padStart(2 * lengthOfBase58(text), '0'), 'hex')
}

/** Returns the number of bytes that base58 digits stand for. */
export function lengthOfBase58(digits: string): number {
  const zeros = /^1*/.exec(digits)?.[0].length ?? 0
  const value = [...digits].reduce((sum, digit) => sum * 58n + BigInt(ALPHABET.indexOf(digit)), 0n)
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2))
}

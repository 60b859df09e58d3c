import { createHash } from 'node:crypto'

// Addresses derived anew for the check of a transaction, without the library that writes it.

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/** @see https://solana.com/docs/core/pda (read 2026-11-21) */
const MARKER = 'ProgramDerivedAddress'

/** The field and the constant of edwards25519. @see https://www.rfc-editor.org/rfc/rfc8032#section-5.1 (read 2026-11-21) */
const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** The address that a program alone signs for: the first one, from bump 255 down, of which nobody can have a key. */
export function programAddress(program: string, seeds: readonly Uint8Array[]): string {
  for (let bump = 255; bump >= 0; bump--) {
    const digest = sha256([...seeds, Uint8Array.of(bump), keyOf(program), new TextEncoder().encode(MARKER)])
    if (!isPoint(digest)) return textOf(digest)
  }
  throw new RangeError(`no address can be derived for ${program}`)
}

/** The address that follows from a wallet, a seed and the program it belongs to. */
export function seededAddress(base: string, seed: string, program: string): string {
  return textOf(sha256([keyOf(base), new TextEncoder().encode(seed), keyOf(program)]))
}

/** The 32 bytes of an address. */
export function keyOf(address: string): Uint8Array {
  let value = 0n
  for (const digit of address) {
    const at = ALPHABET.indexOf(digit)
    if (at < 0) throw new RangeError(`${address} is no address`)
    value = value * 58n + BigInt(at)
  }
  if (value >> 256n !== 0n) throw new RangeError(`${address} is no address`)
  return Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'))
}

/** The address of 32 bytes: leading zeros are a `1` each. */
function textOf(bytes: Uint8Array): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let digits = ''
  for (; value > 0n; value /= 58n) digits = ALPHABET[Number(value % 58n)] + digits
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + digits
}

/** Whether 32 bytes are a compressed point of the curve: whether its x can be found. */
function isPoint(bytes: Uint8Array): boolean {
  const y = BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`) & (2n ** 255n - 1n)
  const u = mod(y * y - 1n)
  const v = mod(D * y * y + 1n)
  // u / v is a square exactly if u * v is, as v is never 0.
  const product = mod(u * v)
  return product === 0n || power(product, (P - 1n) / 2n) === 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square)
    square = mod(square * square)
  }
  return result
}

function mod(value: bigint): bigint {
  const rest = value % P
  return rest < 0n ? rest + P : rest
}

function sha256(parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

import { digitsOf } from '../bytes/hex.ts'
import { D, mod, P, power } from './field25519.ts'
import { sha512 } from './sha512.ts'

// Parameters of edwards25519: https://www.rfc-editor.org/rfc/rfc8032#section-5.1 (read 2026-11-22)
/** Order of the base point. */
const L = 2n ** 252n + 27742317777372353535851937790883648493n
/** A square root of -1: 2^((p-1)/4). */
const ROOT = power(2n, (P - 1n) / 4n)
const SIGN = 1n << 255n

/** In extended coordinates: x/z, y/z, and t = xy/z. Section 5.1.4 */
interface Point {
  readonly x: bigint
  readonly y: bigint
  readonly z: bigint
  readonly t: bigint
}

const NEUTRAL: Point = { x: 0n, y: 1n, z: 1n, t: 0n }
const BASE = pointOf(integerOf(Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x58 : 0x66)))) ?? NEUTRAL

/**
 * Tells whether an Ed25519 signature over a message was made by a key, computed without WebCrypto, which browsers lack on plain http. All values are public, so that the
 * time taken reveals nothing.
 *
 * @param key 32 bytes
 * @param signature 64 bytes
 * @see https://www.rfc-editor.org/rfc/rfc8032#section-5.1.7 (read 2026-11-22): without the cofactor, as OpenSSL and BoringSSL do
 */
export function verifiesHere(key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  const [r, s] = [signature.subarray(0, 32), integerOf(signature.subarray(32))]
  const a = pointOf(integerOf(key))
  if (a === null || s >= L) return false
  const k = integerOf(sha512(Uint8Array.of(...r, ...key, ...message))) % L
  const { x, y, z } = add(multiply(BASE, s), multiply({ ...a, x: mod(-a.x), t: mod(-a.t) }, k))
  const inverse = power(z, P - 2n)
  const encoded = mod(y * inverse) | ((mod(x * inverse) & 1n) === 1n ? SIGN : 0n)
  return encoded === integerOf(r)
}

/** Section 5.1.3. @returns null when the text is no point in canonical form */
function pointOf(encoded: bigint): Point | null {
  const y = encoded & (SIGN - 1n)
  if (y >= P) return null
  const u = mod(y * y - 1n)
  const v = mod(D * y * y + 1n)
  const candidate = mod(u * power(v, 3n) * power(u * power(v, 7n), (P - 5n) / 8n))
  const square = mod(v * candidate * candidate)
  const root = square === u ? candidate : square === mod(-u) ? mod(candidate * ROOT) : null
  const odd = (encoded & SIGN) !== 0n
  if (root === null || (root === 0n && odd)) return null
  const x = (root & 1n) === (odd ? 1n : 0n) ? root : P - root
  return { x, y, z: 1n, t: mod(x * y) }
}

/** Section 5.1.4, for the twist with a = -1; also of a point with itself. */
function add(p: Point, q: Point): Point {
  const a = mod((p.y - p.x) * (q.y - q.x))
  const b = mod((p.y + p.x) * (q.y + q.x))
  const c = mod(2n * D * p.t * q.t)
  const d = mod(2n * p.z * q.z)
  const [e, f, g, h] = [b - a, d - c, d + c, b + a]
  return { x: mod(e * f), y: mod(g * h), z: mod(f * g), t: mod(e * h) }
}

function multiply(point: Point, scalar: bigint): Point {
  let sum = NEUTRAL
  for (const bit of scalar.toString(2)) {
    sum = add(sum, sum)
    if (bit === '1') sum = add(sum, point)
  }
  return sum
}

/** Reads a little-endian number. */
function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${digitsOf(bytes.toReversed()) || '0'}`)
}

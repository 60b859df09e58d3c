import { digitsOf, integerOf } from '../bytes/hex.ts'

/** Parameters of the curve y² = x³ + 7. @see https://www.secg.org/sec2-v2.pdf section 2.4.1 (read 2026-11-21) */
const P = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn
const N = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const G: Point = {
  x: 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n,
  y: 0x483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8n,
  z: 1n,
}

/** In Jacobian coordinates: x/z², y/z³; z of 0 is the point at infinity. */
interface Point {
  readonly x: bigint
  readonly y: bigint
  readonly z: bigint
}

/** r and s of an ECDSA signature, s in the lower half. */
export interface Secp256k1Signature {
  readonly r: bigint
  readonly s: bigint
}

/**
 * Converts a signature to low s, which chains take: of the two valid signatures (r, s) and (r, N − s), the one whose s is in the lower half. Null when r or s is out of
 * range.
 */
export function lowS({ r, s }: Secp256k1Signature): Secp256k1Signature | null {
  if (r <= 0n || r >= N || s <= 0n || s >= N) return null
  return { r, s: s > N / 2n ? N - s : s }
}

/**
 * Recovers the public keys that may have made a signature of a hash: at most two, by the parity of their y. All values are public, so that the time taken reveals nothing.
 *
 * @param hash 32 bytes
 * @returns 64 bytes each, x and y, at the index of the parity; null where there is none
 * @see https://www.secg.org/sec1-v2.pdf section 4.1.6 (read 2026-11-22)
 */
export function recoverKeys(hash: Uint8Array, { r, s }: Secp256k1Signature): readonly (Uint8Array | null)[] {
  const root = rootAt(r)
  if (root === null) return [null, null]
  const inverse = invert(r, N)
  const byBase = multiply(G, mod(-integerOf(hash) * inverse, N))
  // The point with the other y is the negative one, and so is its multiple.
  const byPoint = multiply({ x: r, y: root, z: 1n }, mod(s * inverse, N))
  return [0n, 1n].map((parity) => bytesOf(add(byBase, (root & 1n) === parity ? byPoint : negative(byPoint))))
}

/**
 * Computes the point of a compressed public key.
 *
 * @param key 33 bytes that begin with 2 or 3
 * @returns 64 bytes, x and y; null where no point of the curve has that x
 */
export function uncompressed(key: Uint8Array): Uint8Array | null {
  const x = integerOf(key.subarray(1))
  const root = x < P ? rootAt(x) : null
  if (root === null) return null
  const bytes = new Uint8Array(64)
  write(bytes, 0, x)
  write(bytes, 32, (root & 1n) === BigInt((key[0] ?? 0) & 1) ? root : P - root)
  return bytes
}

function negative({ x, y, z }: Point): Point {
  return { x, y: mod(-y, P), z }
}

/** Computes one of the two y of an x; null where there is none. */
function rootAt(x: bigint): bigint | null {
  const square = mod(x ** 3n + 7n, P)
  const root = power(square, (P + 1n) / 4n)
  return mod(root * root, P) === square ? root : null
}

function bytesOf({ x, y, z }: Point): Uint8Array | null {
  if (z === 0n) return null
  const inverse = invert(z, P)
  const square = mod(inverse * inverse, P)
  const bytes = new Uint8Array(64)
  write(bytes, 0, mod(x * square, P))
  write(bytes, 32, mod(y * square * inverse, P))
  return bytes
}

/** Writes an integer into `bytes` at `at`, as 32 bytes, big-endian. */
export function write(bytes: Uint8Array, at: number, value: bigint): void {
  for (let i = 31, rest = value; i >= 0; i--, rest >>= 8n) bytes[at + i] = Number(rest & 255n)
}

/** Writes a public key in compressed form as hex digits: 33 bytes, the parity of y, and x. @param key 64 bytes */
export function compressed(key: Uint8Array): string {
  return `0${((key[63] ?? 0) & 1) + 2}${digitsOf(key.subarray(0, 32))}`
}

function multiply(point: Point, scalar: bigint): Point {
  let sum: Point = { x: 1n, y: 1n, z: 0n }
  for (const bit of scalar.toString(2)) {
    sum = double(sum)
    if (bit === '1') sum = add(sum, point)
  }
  return sum
}

/** @see https://www.hyperelliptic.org/EFD/g1p/auto-shortw-jacobian-0.html#doubling-dbl-2009-l (read 2026-11-22) */
function double({ x, y, z }: Point): Point {
  const a = mod(x * x, P)
  const b = mod(y * y, P)
  const c = mod(b * b, P)
  const d = mod(2n * ((x + b) ** 2n - a - c), P)
  const e = 3n * a
  const x3 = mod(e * e - 2n * d, P)
  return { x: x3, y: mod(e * (d - x3) - 8n * c, P), z: mod(2n * y * z, P) }
}

/** @see https://www.hyperelliptic.org/EFD/g1p/auto-shortw-jacobian-0.html#addition-add-2007-bl (read 2026-11-22) */
function add(one: Point, two: Point): Point {
  if (one.z === 0n) return two
  if (two.z === 0n) return one
  const zz1 = mod(one.z * one.z, P)
  const zz2 = mod(two.z * two.z, P)
  const u1 = mod(one.x * zz2, P)
  const s1 = mod(one.y * two.z * zz2, P)
  const h = mod(two.x * zz1 - u1, P)
  const r = mod(two.y * one.z * zz1 - s1, P)
  if (h === 0n) return r === 0n ? double(one) : { x: 1n, y: 1n, z: 0n }
  const hh = mod(h * h, P)
  const hhh = mod(h * hh, P)
  const v = mod(u1 * hh, P)
  const x = mod(r * r - hhh - 2n * v, P)
  return { x, y: mod(r * (v - x) - s1 * hhh, P), z: mod(one.z * two.z * h, P) }
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n
  for (let square = mod(base, P), rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = mod(result * square, P)
    square = mod(square * square, P)
  }
  return result
}

/** Inverts a value by Euclid's algorithm; the modulus is prime. */
function invert(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [mod(value, modulus), modulus, 1n, 0n]
  while (a > 1n) {
    const quotient = b / a
    ;[a, b] = [b - quotient * a, a]
    ;[x, y] = [y - quotient * x, x]
  }
  return mod(x, modulus)
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus
  return rest < 0n ? rest + modulus : rest
}

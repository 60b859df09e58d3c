import { wordAt } from '../at.ts'
import { BLOCK, padded } from './padding.ts'
import { primes, wholeRoot } from './roots.ts'

const PRIMES = primes(64)
/** FIPS 180-4, 5.3.3: the first 32 fractional bits of the square roots of the first 8 primes. */
const INITIAL = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(wholeRoot(prime << 64n, 2n)))
/** FIPS 180-4, 4.2.2: the first 32 fractional bits of the cube roots of the first 64 primes. */
const CONSTANTS = Int32Array.from(PRIMES, (prime) => fraction(wholeRoot(prime << 96n, 3n)))

/**
 * Computes SHA-256.
 *
 * @returns 32 bytes
 * @see https://doi.org/10.6028/NIST.FIPS.180-4 (read 2026-11-21)
 */
export function sha256(message: Uint8Array): Uint8Array {
  const state = INITIAL.slice()
  const schedule = new Int32Array(64)
  const blocks = padded(message, false)
  for (let at = 0; at < blocks.byteLength; at += BLOCK) compress(state, schedule, blocks, at)

  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  state.forEach((word, i) => {
    view.setInt32(4 * i, word)
  })
  return digest
}

/** FIPS 180-4, 6.2.2. Sums may exceed 32 bits: the `| 0` and the typed arrays take them modulo 2^32. */
function compress(state: Int32Array, schedule: Int32Array, blocks: DataView, at: number): void {
  for (let t = 0; t < 16; t++) schedule[t] = blocks.getInt32(at + 4 * t)
  for (let t = 16; t < 64; t++) {
    const two = wordAt(schedule, t - 2)
    const fifteen = wordAt(schedule, t - 15)
    const small1 = turn(two, 17) ^ turn(two, 19) ^ (two >>> 10)
    const small0 = turn(fifteen, 7) ^ turn(fifteen, 18) ^ (fifteen >>> 3)
    schedule[t] = small1 + wordAt(schedule, t - 7) + small0 + wordAt(schedule, t - 16)
  }

  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let t = 0; t < 64; t++) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)
    const choice = (e & f) ^ (~e & g)
    const first = (h + big1 + choice + wordAt(CONSTANTS, t) + wordAt(schedule, t)) | 0
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + big0 + majority) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) state[i] = wordAt(state, i) + word
}

/** Rotates to the right. */
function turn(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}

function fraction(scaled: bigint): number {
  return Number(BigInt.asIntN(32, scaled))
}

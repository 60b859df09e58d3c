import { at } from '../at.ts'
import { primes, wholeRoot } from '../bytes/roots.ts'

const BLOCK = 128
const MASK = (1n << 64n) - 1n

interface Constants {
  readonly initial: readonly bigint[]
  readonly rounds: readonly bigint[]
}

let computed: Constants | undefined

/**
 * Computes SHA-512 on bigints: slow and short, for the few hundred bytes of a transaction.
 *
 * @returns 64 bytes
 * @see https://doi.org/10.6028/NIST.FIPS.180-4 (read 2026-11-22)
 */
export function sha512(message: Uint8Array): Uint8Array {
  computed ??= constants()
  const blocks = new DataView(padded(message).buffer)
  let state = computed.initial
  for (let start = 0; start < blocks.byteLength; start += BLOCK) state = compress(state, blocks, start, computed.rounds)
  const digest = new DataView(new ArrayBuffer(64))
  state.forEach((word, i) => {
    digest.setBigUint64(8 * i, word)
  })
  return new Uint8Array(digest.buffer)
}

/** FIPS 180-4, 5.3.5 and 4.2.3: the first 64 fractional bits of the roots of small primes. */
function constants(): Constants {
  const first = primes(80)
  return {
    initial: first.slice(0, 8).map((prime) => wholeRoot(prime << 128n, 2n) & MASK),
    rounds: first.map((prime) => wholeRoot(prime << 192n, 3n) & MASK),
  }
}

/** FIPS 180-4, 5.1.2: a one, zeros, and the length in bits. */
function padded(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(Math.ceil((message.length + 17) / BLOCK) * BLOCK)
  blocks.set(message)
  blocks[message.length] = 0x80
  new DataView(blocks.buffer).setBigUint64(blocks.length - 8, 8n * BigInt(message.length))
  return blocks
}

/** FIPS 180-4, 6.4.2. */
function compress(state: readonly bigint[], blocks: DataView, start: number, rounds: readonly bigint[]): readonly bigint[] {
  const schedule = Array.from({ length: 16 }, (_, t) => blocks.getBigUint64(start + 8 * t))
  for (let t = 16; t < 80; t++) {
    const two = at(schedule, t - 2)
    const fifteen = at(schedule, t - 15)
    const small1 = turn(two, 19n) ^ turn(two, 61n) ^ (two >> 6n)
    const small0 = turn(fifteen, 1n) ^ turn(fifteen, 8n) ^ (fifteen >> 7n)
    schedule.push((small1 + at(schedule, t - 7) + small0 + at(schedule, t - 16)) & MASK)
  }
  let [a, b, c, d, e, f, g, h] = state as readonly [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint]
  for (let t = 0; t < 80; t++) {
    const big1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n)
    const choice = (e & f) ^ (~e & g)
    const first = h + big1 + choice + at(rounds, t) + at(schedule, t)
    const big0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) & MASK
    d = c
    c = b
    b = a
    a = (first + big0 + majority) & MASK
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (at(state, i) + word) & MASK)
}

/** Rotates to the right. */
function turn(word: bigint, bits: bigint): bigint {
  return (word >> bits) | ((word << (64n - bits)) & MASK)
}

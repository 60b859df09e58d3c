import { present } from '../../present.ts'

/** First 64 bits of the fractions of the square roots of the first eight primes. @see https://www.rfc-editor.org/rfc/rfc7693 section 2.6 (read 2026-11-21) */
const IV: readonly bigint[] = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]
/** Order of the words of a block in each round. @see https://www.rfc-editor.org/rfc/rfc7693 section 2.7 (read 2026-11-21) */
const SIGMA = [
  '0123456789abcdef',
  'ea489fd61c02b753',
  'b8c052fdae367194',
  '7931dcbe265a40f8',
  '905724afe1bc683d',
  '2c6a0b834d75fe19',
  'c51fed4a0763928b',
  'db7ec13950f4862a',
  '6fe9b308c2d714a5',
  'a2847615fb9e3cd0',
] as const
const MASK = 0xffffffffffffffffn
const SIZE = 32

/**
 * Computes BLAKE2b with 256 bits, which the chain uses for the names of transactions, for addresses, and for the bytes to sign. It is separate from that of `@svc/verify`
 * on purpose: forgeries made with the check's own code would prove nothing about it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7693 (read 2026-11-21)
 */
export function blake2b256(...parts: readonly Uint8Array[]): Uint8Array {
  const message = Buffer.concat(parts)
  const state = IV.map((word, index) => (index === 0 ? word ^ 0x01010000n ^ BigInt(SIZE) : word))
  const blocks = Math.max(1, Math.ceil(message.length / 128))
  for (let index = 0; index < blocks; index++) {
    const block = Buffer.alloc(128)
    message.copy(block, 0, 128 * index, 128 * (index + 1))
    compress(state, block, BigInt(Math.min(message.length, 128 * (index + 1))), index === blocks - 1)
  }
  const out = Buffer.alloc(64)
  for (const [index, word] of state.entries()) out.writeBigUInt64LE(word, 8 * index)
  return new Uint8Array(out.subarray(0, SIZE))
}

/** The mixing function F; `state` is changed in place. */
function compress(state: bigint[], block: Buffer, count: bigint, last: boolean): void {
  const words = Array.from({ length: 16 }, (_, index) => block.readBigUInt64LE(8 * index))
  const v = [...state, ...IV]
  v[12] = word(v, 12) ^ count
  if (last) v[14] = word(v, 14) ^ MASK
  const mix = (a: number, b: number, c: number, d: number, x: bigint, y: bigint) => {
    v[a] = (word(v, a) + word(v, b) + x) & MASK
    v[d] = rotated(word(v, d) ^ word(v, a), 32n)
    v[c] = (word(v, c) + word(v, d)) & MASK
    v[b] = rotated(word(v, b) ^ word(v, c), 24n)
    v[a] = (word(v, a) + word(v, b) + y) & MASK
    v[d] = rotated(word(v, d) ^ word(v, a), 16n)
    v[c] = (word(v, c) + word(v, d)) & MASK
    v[b] = rotated(word(v, b) ^ word(v, c), 63n)
  }
  for (let round = 0; round < 12; round++) {
    const order = Array.from(present(SIGMA[round % 10], 'an order'), (digit) => word(words, Number.parseInt(digit, 16)))
    for (let i = 0; i < 4; i++) mix(i, 4 + i, 8 + i, 12 + i, word(order, 2 * i), word(order, 2 * i + 1))
    for (let i = 0; i < 4; i++)
      mix(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4), word(order, 8 + 2 * i), word(order, 9 + 2 * i))
  }
  for (let i = 0; i < 8; i++) state[i] = word(state, i) ^ word(v, i) ^ word(v, i + 8)
}

function word(words: readonly bigint[], at: number): bigint {
  return present(words[at], 'a word')
}

function rotated(word: bigint, by: bigint): bigint {
  return ((word >> by) | (word << (64n - by))) & MASK
}

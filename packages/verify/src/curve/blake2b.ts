/** @see https://www.rfc-editor.org/rfc/rfc7693 section 2.6 (read 2026-11-21): the fractions of the square roots of the first eight primes */
const INITIAL: readonly bigint[] = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]
/** Section 2.7: a row a round, a hex digit a word; the last two rounds begin again. */
const SIGMA =
  '0123456789abcdefea489fd61c02b753b8c052fdae3671947931dcbe265a40f8905724afe1bc683d2c6a0b834d75fe19c51fed4a0763928bdb7ec13950f4862a6fe9b308c2d714a5a2847615fb9e3cd0'
/** Words that each of the eight mixings of a round takes: four columns, then four diagonals. Section 3.2 */
const MIXES = '048c159d26ae37bf05af16bc278d349e'
const BLOCK = 128
const BITS = 64n

/**
 * Computes BLAKE2b with a digest of 32 bytes, which Sui uses for the names of transactions, for addresses, and for the bytes to sign.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7693 section 3.3 (read 2026-11-21)
 */
export function blake2b256(message: Uint8Array): Uint8Array {
  const state = [...INITIAL]
  // Digest of 32 bytes, no key, one tree.
  state[0] = at(state, 0) ^ 0x01010020n
  const padded = new Uint8Array(Math.max(1, Math.ceil(message.length / BLOCK)) * BLOCK)
  padded.set(message)
  for (let end = BLOCK; end <= padded.length; end += BLOCK) {
    const isLast = end === padded.length
    compress(state, new DataView(padded.buffer, end - BLOCK, BLOCK), BigInt(isLast ? message.length : end), isLast)
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (let i = 0; i < 4; i++) digest.setBigUint64(8 * i, at(state, i), true)
  return new Uint8Array(digest.buffer)
}

function compress(state: bigint[], block: DataView, count: bigint, isLast: boolean): void {
  const v = [...state, ...INITIAL]
  v[12] = at(v, 12) ^ count
  if (isLast) v[14] = BigInt.asUintN(64, ~at(v, 14))
  const turn = (to: number, from: number, by: bigint) => {
    const word = at(v, to) ^ at(v, from)
    v[to] = BigInt.asUintN(64, (word >> by) | (word << (BITS - by)))
  }
  const sum = (to: number, from: number, word = 0n) => {
    v[to] = BigInt.asUintN(64, at(v, to) + at(v, from) + word)
  }
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i < 8; i++) {
      const word = (side: number) => block.getBigUint64(8 * digit(SIGMA, 16 * (round % 10) + 2 * i + side), true)
      const [a, b, c, d] = [digit(MIXES, 4 * i), digit(MIXES, 4 * i + 1), digit(MIXES, 4 * i + 2), digit(MIXES, 4 * i + 3)]
      sum(a, b, word(0))
      turn(d, a, 32n)
      sum(c, d)
      turn(b, c, 24n)
      sum(a, b, word(1))
      turn(d, a, 16n)
      sum(c, d)
      turn(b, c, 63n)
    }
  }
  for (let i = 0; i < 8; i++) state[i] = at(state, i) ^ at(v, i) ^ at(v, i + 8)
}

function at(words: readonly bigint[], index: number): bigint {
  return words[index] ?? 0n
}

function digit(digits: string, index: number): number {
  return Number.parseInt(digits.charAt(index), 16)
}

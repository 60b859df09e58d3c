/** Initial state and schedule: RFC 7693, sections 2.6 and 2.7 (read 2026-11-21). */
const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
]
const SCHEDULE = [
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
]
/** Columns, then diagonals. */
const LANES = ['048c', '159d', '26ae', '37bf', '05af', '16bc', '278d', '349e']
const BLOCK = 128
const MASK = 2n ** 64n - 1n

/** BLAKE2b without key, of up to 64 bytes; Node's own has no other length than 64. */
export function blake2b(message: Uint8Array, length: number): Buffer {
  const state = [...IV]
  state[0]! ^= BigInt(0x01010000 ^ length)
  const blocks = Math.max(1, Math.ceil(message.length / BLOCK))
  for (let i = 0; i < blocks; i++) {
    const content = Buffer.alloc(BLOCK)
    content.set(message.subarray(i * BLOCK, (i + 1) * BLOCK))
    const last = i === blocks - 1
    compress(state, content, BigInt(last ? message.length : (i + 1) * BLOCK), last)
  }
  const digest = Buffer.alloc(64)
  state.forEach((word, i) => {
    digest.writeBigUInt64LE(word, 8 * i)
  })
  return digest.subarray(0, length)
}

function compress(state: bigint[], content: Buffer, counted: bigint, last: boolean): void {
  const work = [...state, ...IV]
  work[12]! ^= counted
  if (last) work[14]! ^= MASK
  for (let round = 0; round < 12; round++) {
    LANES.forEach((lane, i) => {
      const [a, b, c, d] = Array.from(lane, (digit) => Number.parseInt(digit, 16)) as [number, number, number, number]
      const word = (at: number) => content.readBigUInt64LE(8 * Number.parseInt(SCHEDULE[round % 10]![at]!, 16))
      for (const [at, first, second] of [
        [2 * i, 32n, 24n],
        [2 * i + 1, 16n, 63n],
      ] as const) {
        work[a] = (work[a]! + work[b]! + word(at)) & MASK
        work[d] = rotated(work[d]! ^ work[a]!, first)
        work[c] = (work[c]! + work[d]!) & MASK
        work[b] = rotated(work[b]! ^ work[c]!, second)
      }
    })
  }
  for (let i = 0; i < 8; i++) state[i]! ^= work[i]! ^ work[i + 8]!
}

function rotated(word: bigint, by: bigint): bigint {
  return ((word >> by) | (word << (64n - by))) & MASK
}

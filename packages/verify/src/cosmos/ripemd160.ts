import { at, wordAt } from '../at.ts'
import { BLOCK, padded } from '../bytes/padding.ts'
import { wholeRoot } from '../bytes/roots.ts'

const INITIAL = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0)

/** The permutation ρ that reorders message words from one round to the next. */
const RHO = [7, 4, 13, 1, 10, 6, 15, 3, 12, 0, 9, 5, 2, 14, 11, 8]

/** Rotations, by round and message word; both lines use the same ones. */
const TURNS = [
  Int32Array.of(11, 14, 15, 12, 5, 8, 7, 9, 11, 13, 14, 15, 6, 7, 9, 8),
  Int32Array.of(12, 13, 11, 15, 6, 9, 9, 7, 12, 15, 11, 13, 7, 8, 7, 7),
  Int32Array.of(13, 15, 14, 11, 7, 7, 6, 8, 13, 14, 13, 12, 5, 5, 6, 9),
  Int32Array.of(14, 11, 12, 14, 8, 6, 5, 5, 15, 12, 15, 14, 9, 9, 8, 6),
  Int32Array.of(15, 12, 13, 13, 9, 5, 8, 6, 14, 11, 12, 11, 8, 6, 5, 5),
]

/** One of the two lines: message words by step, added constants and functions by round. */
interface Line {
  readonly words: Int32Array
  readonly constants: Int32Array
  readonly functions: readonly ((x: number, y: number, z: number) => number)[]
}

const FUNCTIONS: Line['functions'] = [
  (x, y, z) => x ^ y ^ z,
  (x, y, z) => (x & y) | (~x & z),
  (x, y, z) => (x | ~y) ^ z,
  (x, y, z) => (x & z) | (y & ~z),
  (x, y, z) => x ^ (y | ~z),
]

/** Starts with the words in order; constants 2^30 times the square roots of 2, 3, 5 and 7, in rounds 2 to 5. */
const LEFT: Line = {
  words: fiveRounds((i) => i),
  constants: Int32Array.from([0n, 2n, 3n, 5n, 7n], (n) => Number(BigInt.asIntN(32, wholeRoot(n << 60n, 2n)))),
  functions: FUNCTIONS,
}

/** Starts with π(i) = 9i + 5; constants 2^30 times the cube roots of 2, 3, 5 and 7, in rounds 1 to 4; functions in reverse. */
const RIGHT: Line = {
  words: fiveRounds((i) => (9 * i + 5) % 16),
  constants: Int32Array.from([2n, 3n, 5n, 7n, 0n], (n) => Number(BigInt.asIntN(32, wholeRoot(n << 90n, 3n)))),
  functions: FUNCTIONS.toReversed(),
}

/**
 * Computes RIPEMD-160.
 *
 * @returns 20 bytes
 * @see Dobbertin, Bosselaers, Preneel: RIPEMD-160, a strengthened version of RIPEMD (1996; read 2026-11-21)
 */
export function ripemd160(message: Uint8Array): Uint8Array {
  const state = INITIAL.slice()
  const blocks = padded(message, true)
  for (let start = 0; start < blocks.byteLength; start += BLOCK) {
    const left = run(LEFT, state, blocks, start)
    const right = run(RIGHT, state, blocks, start)
    const before = state.slice()
    for (let i = 0; i < 5; i++) state[i] = wordAt(before, (i + 1) % 5) + wordAt(left, (i + 2) % 5) + wordAt(right, (i + 3) % 5)
  }

  const digest = new Uint8Array(20)
  const view = new DataView(digest.buffer)
  state.forEach((word, i) => {
    view.setInt32(4 * i, word, true)
  })
  return digest
}

function run(line: Line, state: Int32Array, blocks: DataView, start: number): Int32Array {
  let [a, b, c, d, e] = state as unknown as [number, number, number, number, number]
  for (let round = 0; round < 5; round++) {
    const mix = at(line.functions, round)
    const constant = wordAt(line.constants, round)
    const turns = at(TURNS, round)
    for (let step = 16 * round; step < 16 * round + 16; step++) {
      const word = wordAt(line.words, step)
      const sum = (a + mix(b, c, d) + blocks.getInt32(start + 4 * word, true) + constant) | 0
      a = e
      e = d
      d = turn(c, 10)
      c = b
      b = (turn(sum, wordAt(turns, word)) + a) | 0
    }
  }
  return Int32Array.of(a, b, c, d, e)
}

function fiveRounds(first: (i: number) => number): Int32Array {
  const words = Array.from({ length: 16 }, (_, i) => first(i))
  for (let i = 0; i < 64; i++) words.push(at(RHO, at(words, i)))
  return Int32Array.from(words)
}

/** Rotates to the left. */
function turn(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

import { wordAt } from '../at.ts'

/** Bytes absorbed per permutation: 1600 bits of state less twice the 256 bits of output. */
const RATE = 136
const ROUNDS = 24

/** For each lane, where pi moves it and by how many bits rho turns it. Computed, so that no table can be mistyped. */
const { targets, turns } = rhoPi()
const { constantsLow, constantsHigh } = roundConstants()

/**
 * Computes Keccak-256 as Ethereum uses it: the sponge of the original submission (padding `0x01`), not the later SHA3-256 (padding `0x06`).
 *
 * @returns 32 bytes
 * @see https://keccak.team/keccak_specs_summary.html and https://dx.doi.org/10.6028/NIST.FIPS.202 (read 2026-11-21)
 */
export function keccak256(message: Uint8Array): Uint8Array {
  // Lane (x, y) is at x + 5y; a 64-bit lane is two 32-bit halves, since bigint arithmetic allocates at every step.
  const low = new Int32Array(25)
  const high = new Int32Array(25)

  let at = 0
  for (; message.length - at >= RATE; at += RATE) {
    absorb(low, high, message, at)
    permute(low, high)
  }
  const last = new Uint8Array(RATE)
  last.set(message.subarray(at))
  const end = message.length - at
  last[end] = 0x01
  last[RATE - 1] = (last[RATE - 1] ?? 0) | 0x80
  absorb(low, high, last, 0)
  permute(low, high)

  const digest = new Uint8Array(32)
  const view = new DataView(digest.buffer)
  for (let lane = 0; lane < 4; lane++) {
    view.setInt32(8 * lane, wordAt(low, lane), true)
    view.setInt32(8 * lane + 4, wordAt(high, lane), true)
  }
  return digest
}

function absorb(low: Int32Array, high: Int32Array, block: Uint8Array, start: number): void {
  const view = new DataView(block.buffer, block.byteOffset + start, RATE)
  for (let lane = 0; lane < RATE / 8; lane++) {
    low[lane] = wordAt(low, lane) ^ view.getInt32(8 * lane, true)
    high[lane] = wordAt(high, lane) ^ view.getInt32(8 * lane + 4, true)
  }
}

const columnLow = new Int32Array(5)
const columnHigh = new Int32Array(5)
const movedLow = new Int32Array(25)
const movedHigh = new Int32Array(25)

function permute(low: Int32Array, high: Int32Array): void {
  for (let round = 0; round < ROUNDS; round++) {
    theta(low, high)
    rhoAndPi(low, high)
    chi(low, movedLow)
    chi(high, movedHigh)
    // iota
    low[0] = wordAt(low, 0) ^ wordAt(constantsLow, round)
    high[0] = wordAt(high, 0) ^ wordAt(constantsHigh, round)
  }
}

function theta(low: Int32Array, high: Int32Array): void {
  addColumns(low, columnLow)
  addColumns(high, columnHigh)
  for (let x = 0; x < 5; x++) {
    const before = (x + 4) % 5
    const after = (x + 1) % 5
    const afterLow = wordAt(columnLow, after)
    const afterHigh = wordAt(columnHigh, after)
    mixColumn(low, x, wordAt(columnLow, before) ^ ((afterLow << 1) | (afterHigh >>> 31)))
    mixColumn(high, x, wordAt(columnHigh, before) ^ ((afterHigh << 1) | (afterLow >>> 31)))
  }
}

function addColumns(half: Int32Array, columns: Int32Array): void {
  for (let x = 0; x < 5; x++) {
    columns[x] = wordAt(half, x) ^ wordAt(half, x + 5) ^ wordAt(half, x + 10) ^ wordAt(half, x + 15) ^ wordAt(half, x + 20)
  }
}

function mixColumn(half: Int32Array, x: number, mix: number): void {
  for (let lane = x; lane < 25; lane += 5) half[lane] = wordAt(half, lane) ^ mix
}

function rhoAndPi(low: Int32Array, high: Int32Array): void {
  for (let lane = 0; lane < 25; lane++) {
    const turn = wordAt(turns, lane)
    const bits = turn & 31
    const swap = turn >= 32
    const a = swap ? wordAt(high, lane) : wordAt(low, lane)
    const b = swap ? wordAt(low, lane) : wordAt(high, lane)
    const target = wordAt(targets, lane)
    // A shift by 32 is a shift by 0 in this language, hence the case of its own.
    movedLow[target] = bits === 0 ? a : (a << bits) | (b >>> (32 - bits))
    movedHigh[target] = bits === 0 ? b : (b << bits) | (a >>> (32 - bits))
  }
}

function chi(half: Int32Array, moved: Int32Array): void {
  for (let row = 0; row < 25; row += 5) {
    for (let x = 0; x < 5; x++) {
      half[row + x] = wordAt(moved, row + x) ^ (~wordAt(moved, row + ((x + 1) % 5)) & wordAt(moved, row + ((x + 2) % 5)))
    }
  }
}

/** FIPS 202, algorithm 2 (section 3.2.2) and pi: lane (1, 0) starts a walk (x, y) → (y, 2x + 3y), turned by the triangular numbers. */
function rhoPi(): { targets: Int32Array; turns: Int32Array } {
  const targets = new Int32Array(25)
  const turns = new Int32Array(25)
  let x = 1
  let y = 0
  for (let step = 0; step < 24; step++) {
    const turned = (2 * x + 3 * y) % 5
    turns[x + 5 * y] = (((step + 1) * (step + 2)) / 2) % 64
    targets[x + 5 * y] = y + 5 * turned
    x = y
    y = turned
  }
  return { targets, turns }
}

/**
 * FIPS 202, algorithms 5 and 6 (section 3.2.5): bit 2^j − 1 of a round's constant is output j + 7·round of the shift register
 * x⁸ + x⁶ + x⁵ + x⁴ + 1.
 */
function roundConstants(): { constantsLow: Int32Array; constantsHigh: Int32Array } {
  const constantsLow = new Int32Array(ROUNDS)
  const constantsHigh = new Int32Array(ROUNDS)
  let register = 1
  for (let round = 0; round < ROUNDS; round++) {
    for (let j = 0; j < 7; j++) {
      const bit = 2 ** j - 1
      if (register & 1) {
        if (bit < 32) constantsLow[round] = wordAt(constantsLow, round) | (1 << bit)
        else constantsHigh[round] = wordAt(constantsHigh, round) | (1 << (bit - 32))
      }
      register <<= 1
      if (register & 0x100) register ^= 0x171
    }
  }
  return { constantsLow, constantsHigh }
}

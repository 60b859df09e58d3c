/** Bytes absorbed per permutation: 1600 bits of state less twice the 256 bits of output. */
const RATE = 136
const ROUNDS = 24

/** For each lane, where pi moves it and by how many bits rho turns it. Computed, so that no table can be mistyped. */
const { targets, turns } = rhoPi()
const { constantsLow, constantsHigh } = roundConstants()

/**
 * Keccak-256 as Ethereum uses it: the sponge of the original submission (padding `0x01`), not the later SHA3-256 (padding `0x06`).
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
    view.setInt32(8 * lane, low[lane]!, true)
    view.setInt32(8 * lane + 4, high[lane]!, true)
  }
  return digest
}

function absorb(low: Int32Array, high: Int32Array, block: Uint8Array, start: number): void {
  const view = new DataView(block.buffer, block.byteOffset + start, RATE)
  for (let lane = 0; lane < RATE / 8; lane++) {
    low[lane]! ^= view.getInt32(8 * lane, true)
    high[lane]! ^= view.getInt32(8 * lane + 4, true)
  }
}

const columnLow = new Int32Array(5)
const columnHigh = new Int32Array(5)
const movedLow = new Int32Array(25)
const movedHigh = new Int32Array(25)

function permute(low: Int32Array, high: Int32Array): void {
  for (let round = 0; round < ROUNDS; round++) {
    // theta
    for (let x = 0; x < 5; x++) {
      columnLow[x] = low[x]! ^ low[x + 5]! ^ low[x + 10]! ^ low[x + 15]! ^ low[x + 20]!
      columnHigh[x] = high[x]! ^ high[x + 5]! ^ high[x + 10]! ^ high[x + 15]! ^ high[x + 20]!
    }
    for (let x = 0; x < 5; x++) {
      const before = (x + 4) % 5
      const after = (x + 1) % 5
      const mixLow = columnLow[before]! ^ ((columnLow[after]! << 1) | (columnHigh[after]! >>> 31))
      const mixHigh = columnHigh[before]! ^ ((columnHigh[after]! << 1) | (columnLow[after]! >>> 31))
      for (let lane = x; lane < 25; lane += 5) {
        low[lane]! ^= mixLow
        high[lane]! ^= mixHigh
      }
    }
    // rho and pi
    for (let lane = 0; lane < 25; lane++) {
      const turn = turns[lane]!
      const bits = turn & 31
      const swap = turn >= 32
      const a = swap ? high[lane]! : low[lane]!
      const b = swap ? low[lane]! : high[lane]!
      const target = targets[lane]!
      // A shift by 32 is a shift by 0 in this language, hence the case of its own.
      movedLow[target] = bits === 0 ? a : (a << bits) | (b >>> (32 - bits))
      movedHigh[target] = bits === 0 ? b : (b << bits) | (a >>> (32 - bits))
    }
    // chi
    for (let row = 0; row < 25; row += 5) {
      for (let x = 0; x < 5; x++) {
        const next = row + ((x + 1) % 5)
        const second = row + ((x + 2) % 5)
        low[row + x] = movedLow[row + x]! ^ (~movedLow[next]! & movedLow[second]!)
        high[row + x] = movedHigh[row + x]! ^ (~movedHigh[next]! & movedHigh[second]!)
      }
    }
    // iota
    low[0]! ^= constantsLow[round]!
    high[0]! ^= constantsHigh[round]!
  }
}

/** FIPS 202, algorithm 2 (section 3.2.2) and pi: lane (1, 0) starts a walk (x, y) → (y, 2x + 3y), turned by the triangular numbers. */
function rhoPi(): { targets: Uint8Array; turns: Uint8Array } {
  const targets = new Uint8Array(25)
  const turns = new Uint8Array(25)
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
        if (bit < 32) constantsLow[round]! |= 1 << bit
        else constantsHigh[round]! |= 1 << (bit - 32)
      }
      register <<= 1
      if (register & 0x100) register ^= 0x171
    }
  }
  return { constantsLow, constantsHigh }
}

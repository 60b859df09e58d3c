/** Keccak-256 for drivers whose packages have none: by the definition, with one bigint for each lane. Slow, and for some hundred bytes. */

const MASK = (1n << 64n) - 1n
/** Bytes absorbed at a time. @see https://keccak.team/keccak_specs_summary.html (read 2026-11-25) */
const RATE = 136

/** Hashes with the padding of the original submission (0x01), as Ethereum does, and not that of SHA3-256. @returns 32 bytes */
export function keccak256(message: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.floor(message.length / RATE + 1) * RATE)
  padded.set(message)
  padded[message.length] = 0x01
  padded[padded.length - 1] = (padded[padded.length - 1] ?? 0) | 0x80
  let state = new Array<bigint>(25).fill(0n)
  for (let at = 0; at < padded.length; at += RATE) {
    const view = new DataView(padded.buffer, at, RATE)
    state = permuted(state.map((lane, index) => (8 * index < RATE ? lane ^ view.getBigUint64(8 * index, true) : lane)))
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, lane] of state.slice(0, 4).entries()) digest.setBigUint64(8 * index, lane, true)
  return new Uint8Array(digest.buffer)
}

/** The 24 rounds; lane (x, y) is at x + 5y. */
function permuted(given: readonly bigint[]): bigint[] {
  let state = [...given]
  let register = 1
  const at = (lanes: readonly bigint[], index: number) => lanes[index] ?? 0n
  for (let round = 0; round < 24; round++) {
    const parity = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(state, x + y), 0n))
    state = state.map((lane, index) => lane ^ at(parity, (index + 4) % 5) ^ turned(at(parity, (index + 1) % 5), 1))
    // Rho and pi: the lanes but the first go round in one circle, each turned a little more.
    let [x, y, carried] = [1, 0, at(state, 1)]
    for (let step = 1, turn = 1; step <= 24; step++, turn += step) {
      ;[x, y] = [y, (2 * x + 3 * y) % 5]
      const next = at(state, x + 5 * y)
      state[x + 5 * y] = turned(carried, turn % 64)
      carried = next
    }
    state = state.map((lane, index) => {
      const row = index - (index % 5)
      return lane ^ (~at(state, row + ((index + 1) % 5)) & MASK & at(state, row + ((index + 2) % 5)))
    })
    // Iota: bits of the round's constant come out of a shift register.
    for (let bit = 0; bit < 7; bit++) {
      if (register & 1) state[0] = at(state, 0) ^ (1n << BigInt(2 ** bit - 1))
      register = register & 0x80 ? ((register << 1) ^ 0x171) & 0xff : register << 1
    }
  }
  return state
}

function turned(lane: bigint, by: number): bigint {
  return ((lane << BigInt(by)) | (lane >> BigInt(64 - by))) & MASK
}

/** Chance that can be repeated. */
export interface Random {
  /** From 0 on, below `most`. */
  below(most: number): number
  /** True in one of so many cases. */
  oneIn(cases: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Mulberry32: small, fast and the same everywhere. @see https://gist.github.com/tommyettinger/46a874533244883189143505d203312c (read 2026-11-22) */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (most: number) => Math.floor(next() * most)
  return { below, oneIn: (cases) => below(cases) === 0, pick: (list) => list[below(list.length)]! }
}

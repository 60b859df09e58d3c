/**
 * Makes a generator of numbers from 0 to 1 whose sequence is the same for each seed.
 *
 * @see https://github.com/bryc/code/blob/master/jshash/PRNGs.md mulberry32 (read 2026-11-28)
 */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

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

/** Makes a generator of whole numbers from 0 to below another one, whose sequence is the same for each seed. */
export function seededWhole(seed: number): (below: number) => number {
  const next = seeded(seed)
  return (below) => Math.floor(next() * below)
}

/**
 * Draws an amount in native units, each of its decimals too.
 *
 * @param random draws a whole number below another one
 * @param bounds least and most, whole units
 */
export function randomAmount(random: (below: number) => number, [least, most]: readonly [number, number], decimals: number): string {
  const digits = Array.from({ length: decimals }, () => random(10)).join('')
  return `${least + random(most - least)}.${digits}`
}

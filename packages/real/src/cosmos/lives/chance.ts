import { createHash } from 'node:crypto'

/** Numbers that follow from a text, the same in every run. */
export interface Chance {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  /** The same for base units. */
  units(limit: bigint): bigint
}

/** Makes the numbers of a text. */
export function chanceOf(seed: string): Chance {
  let count = 0
  const next = () => createHash('sha256').update(`${seed} ${count++}`).digest().readBigUInt64BE()
  return {
    below: (limit) => Number(next() % BigInt(limit)),
    units: (limit) => (limit <= 0n ? 0n : next() % limit),
  }
}

import { isDeepStrictEqual } from 'node:util'
import { type Comparison, membersOf } from '@svc/contract'

/**
 * Compares what two nodes made of the same piece of work: bytes, terms, positions, to the last member. Nothing can be asked for by its checkpoint there; objects are the same in
 * both answers, or in both when they are asked once more, and prices are of an epoch. What a node says of itself (its time, its checkpoint) is judged, and is part of no work's result.
 */
export function sameWork<T>(one: T, other: T): Comparison<T> {
  return isDeepStrictEqual(one, other) ? { value: one } : { member: differenceOf(one, other) }
}

/** A name in a program's code. What stands under another one, as an address does, is not told. */
const NAME = /^[a-z][A-Za-z]{0,30}$/

/** The innermost named member that is not the same. */
function differenceOf(one: unknown, other: unknown): string {
  const [first, second] = [membersOf(one), membersOf(other)]
  for (const name of Object.keys(first))
    if (!isDeepStrictEqual(first[name], second[name])) {
      const inside = differenceOf(first[name], second[name])
      return inside === 'answer' && NAME.test(name) ? name : inside
    }
  return 'answer'
}

import { isDeepStrictEqual } from 'node:util'
import { type Comparison, membersOf } from '@svc/contract'

/**
 * Compares two nodes' results of the same piece of work in every member: bytes, terms, positions. A result cannot be asked for at a checkpoint there; objects are equal in
 * both answers, or become so when both are asked again, and prices hold for an epoch. A node's own time and checkpoint are judged elsewhere, and are part of no result.
 */
export function sameWork<T>(one: T, other: T): Comparison<T> {
  return isDeepStrictEqual(one, other) ? { value: one } : { member: differenceOf(one, other) }
}

/** A name in a program's code. What stands under another one, as an address does, is not told. */
const NAME = /^[a-z][A-Za-z]{0,30}$/

/** Finds the innermost named member that is not the same. */
function differenceOf(one: unknown, other: unknown): string {
  const [first, second] = [membersOf(one), membersOf(other)]
  for (const name of Object.keys(first))
    if (!isDeepStrictEqual(first[name], second[name])) {
      const inside = differenceOf(first[name], second[name])
      return inside === 'answer' && NAME.test(name) ? name : inside
    }
  return 'answer'
}

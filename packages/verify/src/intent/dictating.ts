import type { Decoded, Mismatch } from '../types.ts'
import type { DictatedFact, Family } from './types.ts'

/**
 * Makes the members of a family that report the service's choices in every transaction.
 *
 * @param once what of a transaction the chain takes once: of two that share one of these and their signer, one at most can ever land
 */
export function dictating<X>(
  dictated: readonly DictatedFact<X>[],
  once: (decoded: Decoded) => readonly string[],
): Required<Pick<Family<X>, 'dictated' | 'claimed' | 'together'>> {
  return {
    dictated,
    claimed: (headers, decoded, terms) =>
      dictated.flatMap(({ fact, bound, cost, read }) => {
        const reading = read(decoded, terms, headers)
        if (reading === null) return []
        const { value: exact, holds = true, shown: value = exact, most } = reading
        return [{ fact, value, exact, bound: most === undefined ? bound : `${bound}: ${most}`, cost: reading.cost ?? cost, holds }]
      }),
    together(before, now): Mismatch | null {
      const [one, other] = [once(before), once(now)]
      if (other.some((each) => one.includes(each))) return null
      const text = (list: readonly string[]) => list.join(' or ') || 'nothing that the chain takes once'
      return { path: 'replaces', expected: text(one), found: text(other) }
    },
  }
}

import type { NetworkTerms } from '../intent/network.ts'
import type { Clause, DecodedCall, Intent } from '../intent/types.ts'
import { sameAddress } from './family.ts'

/**
 * Makes the `describe` of an intent whose calls all go to one contract. It returns null for a call of another contract, or of a method without a clause.
 *
 * @param contract its address, which is one of the terms
 * @param clauses by method, in full
 */
export function describeCalls<T>(
  contract: (terms: T & NetworkTerms) => string,
  clauses: Readonly<Record<string, (call: DecodedCall, terms: T & NetworkTerms) => Clause>>,
): Intent<T>['describe'] {
  return (call, terms) => {
    if (!sameAddress(call.target, contract(terms)) || !Object.hasOwn(clauses, call.method)) return null
    return clauses[call.method]?.(call, terms) ?? null
  }
}

import type { Condition } from '@svc/contract'
import type { Term } from '@svc/contract/control'

/** A term as it is kept between readings. JSON. */
export interface KeptTerm extends Term {
  /** When it was read last: ISO-8601. */
  readonly at: string
}

/** A term that has another value than at its last reading. */
export interface TermChange {
  readonly term: Term
  readonly before: KeptTerm
}

/** Lists the terms of a condition. The commission is one of them, as the protocol tells it among its terms, or else as the condition has it. */
export function termsIn({ commissionPercent, terms = [] }: Condition): readonly Term[] {
  const isTold = terms.some(({ kind, name }) => kind === 'fee' && name === 'commission')
  if (isTold || commissionPercent === null) return terms
  return [...terms, { kind: 'fee', name: 'commission', value: String(commissionPercent), effectiveEpoch: null }]
}

/** Lists what has changed. A term that was never read before tells nothing, and neither does one that could not be read now. */
export function changesOfTerms(before: readonly KeptTerm[], terms: readonly Term[]): readonly TermChange[] {
  const was = new Map(before.map((term) => [keyOf(term), term]))
  return terms.flatMap((term) => {
    const earlier = was.get(keyOf(term))
    return earlier === undefined || earlier.value === term.value ? [] : [{ term, before: earlier }]
  })
}

/** Terms that are kept of a reading: as it has them, and as they were where it could not read them. */
export function keptTerms(before: readonly KeptTerm[], terms: readonly Term[], at: Date): readonly KeptTerm[] {
  const now = new Set(terms.map(keyOf))
  return [...terms.map((term) => ({ ...term, at: at.toISOString() })), ...before.filter((term) => !now.has(keyOf(term)))]
}

/** Names a term among those of one validator or pool. */
export function keyOf({ kind, name }: Term): string {
  return `${kind} ${name}`
}

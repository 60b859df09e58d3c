import type { Condition } from '@svc/contract'
import type { Term } from '@svc/contract/control'

/** A term as it is kept between readings. JSON. */
export interface KeptTerm extends Term {
  /** Time of the last reading of the term: ISO-8601. */
  readonly at: string
  /** Of a power: a change of its holder that the operator has not accepted. Absent: the present holder is accepted. */
  readonly pending?: { readonly before: string | null; readonly since: string }
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

/**
 * Computes the terms to keep after a reading: those that it has, and the former value of each that it could not read. A power that somebody else has than who was
 * accepted is pending until the operator accepts it, or until it is back with whom he has accepted; who had it at its first reading is accepted.
 */
export function keptTerms(before: readonly KeptTerm[], terms: readonly Term[], at: Date): readonly KeptTerm[] {
  const was = new Map(before.map((term) => [keyOf(term), term]))
  const now = new Set(terms.map(keyOf))
  return [
    ...terms.map((term) => ({ ...term, at: at.toISOString(), ...pendingOf(was.get(keyOf(term)), term, at) })),
    ...before.filter((term) => !now.has(keyOf(term))),
  ]
}

function pendingOf(earlier: KeptTerm | undefined, { kind, value }: Term, at: Date): Pick<KeptTerm, 'pending'> {
  if (kind !== 'power' || earlier === undefined) return {}
  const { value: last, pending } = earlier
  const accepted = pending ? pending.before : last
  if (value === accepted) return {}
  return { pending: pending && value === last ? pending : { before: accepted, since: at.toISOString() } }
}

/** Marks the holder of one power as accepted, if the power still has this holder. @param holder null: nobody */
export function acceptedTerms(terms: readonly KeptTerm[], aspect: string, holder: string | null): readonly KeptTerm[] {
  return terms.map((term) => {
    const { pending: _pending, ...accepted } = term
    return term.kind === 'power' && term.name === aspect && term.value === holder ? accepted : term
  })
}

/** Names a term among those of one validator or pool. */
export function keyOf({ kind, name }: Term): string {
  return `${kind} ${name}`
}

import type { AuditRecord, AuditStep } from '../../api/audit.ts'

/** The requests of a transaction, in order. */
const STEPS = ['craft', 'prepare', 'broadcast'] as const

/** Progress of a transaction. */
interface Progress {
  /** True for each of the three that succeeded. */
  readonly done: readonly [boolean, boolean, boolean]
  /** The furthest that did, as one word; null when none. */
  readonly word: 'Crafted' | 'Prepared' | 'Broadcast' | null
}

const WORDS = ['Crafted', 'Prepared', 'Broadcast'] as const

/** Works out how far the steps lead. A transaction that was broadcast was prepared somewhere: the dots before the furthest are done. */
export function progressOf(steps: readonly AuditStep[]): Progress {
  const furthest = Math.max(-1, ...steps.filter(({ outcome }) => outcome === 'ok').map(({ step }) => STEPS.indexOf(step)))
  return { done: [furthest >= 0, furthest >= 1, furthest >= 2], word: WORDS[furthest] ?? null }
}

/** State of a record in the list. */
type Standing =
  | { readonly kind: 'steps'; readonly progress: Progress }
  | { readonly kind: 'done' }
  | { readonly kind: 'refused' | 'failed'; readonly text: string }
  | { readonly kind: 'open'; readonly text: string }

/** Works out what the last column says: how far it came; or, if the newest request did not succeed, why. */
export function standingOf(record: AuditRecord): Standing {
  const { outcome, error, steps, status, action } = record
  if (outcome === 'refused' || outcome === 'failed') return { kind: outcome, text: error?.code ?? `Answered ${status}` }
  if (outcome === 'open') return { kind: 'open', text: action === 'broadcast' ? 'Look up the hash' : 'No answer yet' }
  const progress = progressOf(steps)
  return progress.word === null ? { kind: 'done' } : { kind: 'steps', progress }
}

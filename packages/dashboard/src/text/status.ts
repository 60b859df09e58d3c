import type { FollowedTransaction, Status } from '../api/transactions.ts'

/** Each state in one word. */
export const WORDS: Readonly<Record<Status, string>> = {
  unknown: 'Unknown',
  pending: 'Pending',
  included: 'Included',
  final: 'Final',
  failed: 'Failed',
  replaced: 'Replaced',
  expired: 'Expired',
}

/** Form in which a state is drawn: what ended well is quiet; what is under way has a ring; what did not do its deed is tinted. */
type Look = 'ok' | 'pending' | 'warn' | 'bad'

/** State of a transaction, for a list. */
interface Standing {
  readonly word: string
  /** Certainty of the state: `proven`; `likely` where somebody has yet to confirm it. */
  readonly certainty: FollowedTransaction['certainty']
  readonly look: Look
}

/** Names the state of a transaction, in a word. A transaction that moved something else than it promised says that first. */
export function standingOf({
  status,
  certainty,
  differences,
}: Pick<FollowedTransaction, 'status' | 'certainty' | 'differences'>): Standing {
  if (differences?.length) return { word: 'Amounts differ', certainty, look: 'bad' }
  return { word: WORDS[status], certainty, look: LOOKS[status] }
}

const LOOKS: Readonly<Record<Status, Look>> = {
  unknown: 'warn',
  pending: 'pending',
  included: 'pending',
  final: 'ok',
  failed: 'bad',
  replaced: 'warn',
  expired: 'warn',
}

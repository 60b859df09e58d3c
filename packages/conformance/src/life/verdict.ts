import type { Status } from '@svc/contract'
import type { Look } from '@svc/core/plugins'
import type { Outcome } from './watcher.ts'

/** Answers that say that it is the endpoint that fails. */
const UPSTREAM = new Set([502, 503, 504])
/** On the strength of these a caller signs anew. */
const NEGATIVES: readonly Status[] = ['replaced', 'expired']

/** Honesty of the endpoints' answers. */
export type Honesty = 'honest' | 'lying'

/** Tells whether a look reports that a transaction can never land. */
export function isNegative(look: Pick<Look, 'status'> | null): boolean {
  return look !== null && NEGATIVES.includes(look.status)
}

/**
 * Returns what is wrong with a report, or null. An endpoint that knows less may lead to a weaker report, or to none; no report may contradict what became of the
 * transaction. With an endpoint that is behind, the transaction may be reported in a block that is not final. A lying endpoint may lead to the report that a transaction is
 * in a block, which is believed until the next look.
 *
 * @param truth what a healthy service tells in the end
 */
export function wrongOf(truth: Status, { look, status, said: message }: Outcome, honesty: Honesty): string | null {
  if (look === null) return UPSTREAM.has(status) ? null : message
  if (isNegative(look) && truth !== look.status) return message
  const blockStatuses: readonly Status[] = ['included', 'final', 'failed']
  const untrue = look.finality === 'final' && look.status !== truth
  // Whoever lies can put a transaction into a block in which it is not.
  return untrue && !(honesty === 'lying' && (look.status === 'final' || !blockStatuses.includes(truth))) ? message : null
}

import type { Look, Status } from '@svc/contract'
import type { Outcome } from './watcher.ts'

/** Answers that say that it is the endpoint that fails. */
const UPSTREAM = new Set([502, 503, 504])
/** On the strength of these a caller signs anew. */
const NEGATIVES: readonly Status[] = ['replaced', 'expired']

/** What the answers of the endpoints may be. */
export type Honesty = 'honest' | 'lying'

/** Whether it is told for good that a transaction cannot land any more. */
export function isNegative(look: Pick<Look, 'status'> | null): boolean {
  return look !== null && NEGATIVES.includes(look.status)
}

/** Whether it is told for good that a transaction failed. */
function isFailure({ status, finality }: Look): boolean {
  return status === 'failed' && finality === 'final'
}

/**
 * What is wrong with what is told, or null. Whoever knows less may tell less, or that it cannot be told; nobody may tell the contrary of what became of the
 * transaction. An endpoint that lies may have it told that a transaction is in a block: what comes of that is believed until the next look.
 *
 * @param truth what a healthy service tells in the end
 */
export function wrongOf(truth: Status, { look, status, said }: Outcome, honesty: Honesty): string | null {
  if (look === null) return UPSTREAM.has(status) ? null : said
  if (isNegative(look) && truth !== look.status) return said
  const placed: readonly Status[] = ['included', 'final', 'failed']
  if (isFailure(look) && truth !== 'failed' && !(honesty === 'lying' && !placed.includes(truth))) return said
  if (honesty === 'lying') return null
  if (look.status === 'final' && truth !== 'final') return said
  if (placed.includes(look.status) && !placed.includes(truth)) return said
  return null
}

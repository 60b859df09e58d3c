import type { Facts, Sighting, Status, Subject } from './state.ts'

/** States on whose strength a caller signs another transaction. */
const SIGNS_ANEW: ReadonlySet<Status> = new Set(['failed', 'replaced', 'expired'])
/** For how long a negative has to stand before it is told, in milliseconds: a node indexes what it has executed within a few seconds. */
const STANDS_MS = 5_000
/** When a negative was first found, among what is kept. */
const DOUBTED = 'doubted_since'

/** Whether a negative was found and not told yet: it is soon worth another look. */
export function isDoubted(keep: Facts): boolean {
  return DOUBTED in keep
}

/** One endpoint's word at a time. */
export type LookAt<Receipt> = (subject: Subject) => Promise<Sighting<Receipt>>

/**
 * Asks where a transaction stands, and takes nobody's single word for what a caller would sign anew on. A negative is told when it has stood for
 * some seconds and every endpoint says it; a final failure when every endpoint says it. What is found in a block is taken from anybody: what lies
 * about that can do no more than be believed until the next look.
 *
 * @param look through the service's failover
 * @param others each endpoint by itself, in the order of the config
 */
export async function confirmed<Receipt>(
  look: LookAt<Receipt>,
  others: () => readonly LookAt<Receipt>[],
  subject: Subject,
  now: Date,
): Promise<Sighting<Receipt>> {
  const { [DOUBTED]: doubted, ...keep } = subject.keep ?? {}
  const known = { ...subject, keep: subject.keep === null ? null : keep }
  const found = await look(known)
  if (!SIGNS_ANEW.has(found.status) || found.certainty === 'likely') return found
  if (found.status === 'failed' && found.finality !== 'final') return found
  const since = doubted === undefined ? now : new Date(doubted)
  const waits = found.status !== 'failed' && now.getTime() - since.getTime() < STANDS_MS
  if (waits) return unsure(found, { ...found.keep, [DOUBTED]: since.toISOString() })
  const witnesses = await Promise.allSettled(others().map((each) => each(known)))
  const seen = witnesses.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  // In a block wins over everything else: it can be in one only if it was not overtaken.
  const placed = seen.find(({ block, status }) => block !== null && status !== found.status)
  if (placed) return placed
  if (seen.length === witnesses.length && seen.every(({ status }) => status === found.status)) return found
  return unsure(found, { ...found.keep, [DOUBTED]: since.toISOString() })
}

/** The same, as long as it is not confirmed: what is in a block stays there, as not final; anything else may still land. */
function unsure<Receipt>(found: Sighting<Receipt>, keep: Facts): Sighting<Receipt> {
  if (found.status === 'failed') return { ...found, finality: 'included', certainty: 'likely', keep }
  return { ...found, status: 'pending', certainty: 'likely', finality: 'none', replacedBy: null, keep }
}

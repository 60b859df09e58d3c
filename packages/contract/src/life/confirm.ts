import type { Facts, Sighting, Status, Subject } from './state.ts'

/** States on whose strength a caller signs another transaction. */
const SIGNS_ANEW: ReadonlySet<Status> = new Set(['failed', 'replaced', 'expired'])
/** For how long a negative has to stand before it is told, in milliseconds: a node indexes what it has executed within a few seconds. */
const STANDS_MS = 5_000
/** When a negative was first found, among what is kept. */
const DOUBTED = 'doubted_since'
/** How many endpoints have to say it, where so many are configured; of those that answer, all. */
const AGREEING = 2

/** Whether a negative was found and not told yet: it is soon worth another look. */
export function isDoubted(keep: Facts): boolean {
  return DOUBTED in keep
}

/** One endpoint's word at a time. */
export type LookAt<Receipt> = (subject: Subject) => Promise<Sighting<Receipt>>

/**
 * Asks where a transaction stands, and takes nobody's single word for what a caller would sign anew on. A negative is told when it has stood for
 * some seconds and every endpoint that answers says it, proven, two of them at least where there are two; a final failure when they say that. An
 * endpoint that is silent contradicts nobody: it would keep a caller waiting for as long as it is down. What was executed in a block is taken from
 * anybody: on the strength of that nobody signs anew.
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
  if (found.held === false) return dropped(found, others, known, now)
  if (!SIGNS_ANEW.has(found.status)) return found
  if (found.certainty === 'likely') return unsure(found, found.keep)
  if (found.status === 'failed' && found.finality !== 'final') return found
  const since = doubted === undefined ? now : new Date(doubted)
  const waits = found.status !== 'failed' && now.getTime() - since.getTime() < STANDS_MS
  const doubt = { ...found.keep, [DOUBTED]: since.toISOString() }
  if (waits) return unsure(found, doubt)
  const witnesses = await Promise.allSettled(others().map((each) => each(known)))
  const seen = witnesses.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  // In a block wins over what overtook it: it can be in one only if it was not overtaken. That it failed there is again one endpoint's word.
  const placed = seen.find(({ block, status }) => block !== null && status !== found.status)
  if (placed) return placed.status === 'failed' ? unsure(placed, doubt) : placed
  const enough = areEnough(seen, witnesses)
  return enough && seen.every((each) => agrees(each, found)) ? found : unsure(found, doubt)
}

/** For how long a transaction may wait before anybody is told that no node holds it, in milliseconds: nodes pass one on within seconds. */
const PASSED_ON_MS = 60_000

const NOT_HELD = {
  code: 'NOT_HELD',
  reason:
    'No node that was asked holds this transaction now, in a block or waiting. It can still land: sending the same bytes again is safe, and crafting another is not.',
} as const

/** Asks every endpoint for a transaction that was accepted and that one of them does not hold. Nothing of it is over: it says why nothing happens. */
async function dropped<Receipt>(
  found: Sighting<Receipt>,
  others: () => readonly LookAt<Receipt>[],
  subject: Subject,
  now: Date,
): Promise<Sighting<Receipt>> {
  const { accepted, firstSeen } = subject
  if (found.status !== 'pending' || found.error !== null || !accepted || firstSeen === null) return found
  if (now.getTime() - firstSeen.getTime() < PASSED_ON_MS) return found
  const witnesses = await Promise.allSettled(others().map((each) => each(subject)))
  const seen = witnesses.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const holder = seen.find(({ held, status }) => held !== false && !SIGNS_ANEW.has(status))
  if (holder) return holder
  const enough = areEnough(seen, witnesses)
  return enough && seen.every(({ held }) => held === false) ? { ...found, error: NOT_HELD } : found
}

/** Whether as many endpoints answered as have to; where none is asked, nobody has. */
function areEnough(seen: readonly unknown[], witnesses: readonly unknown[]): boolean {
  return seen.length >= Math.max(1, Math.min(AGREEING, witnesses.length))
}

/** Whether an endpoint says the same, as firmly as it is going to be told. */
function agrees<Receipt>(witness: Sighting<Receipt>, found: Sighting<Receipt>): boolean {
  return witness.status === found.status && witness.finality === found.finality && witness.certainty === 'proven'
}

/** The same, as long as it is not confirmed: what is in a block stays there, as not final; anything else may still land. */
function unsure<Receipt>(found: Sighting<Receipt>, keep: Facts): Sighting<Receipt> {
  if (found.status === 'failed') return { ...found, finality: 'included', certainty: 'likely', keep }
  return { ...found, status: 'pending', certainty: 'likely', finality: 'none', replacedBy: null, keep }
}

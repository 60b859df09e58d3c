import { AGREEING, agreed, type Deed, tellers } from './agreement.ts'
import { createKept, DOUBTED, UNFINISHED } from './facts-to-keep.ts'
import { promiseNotSeen } from './promise.ts'
import type { Facts, Sighting, Status, Subject } from './state.ts'

/** States on whose strength a caller signs another transaction. */
const SIGNS_ANEW: ReadonlySet<Status> = new Set(['failed', 'replaced', 'expired'])
/** For how long a negative has to stand before it is told, in milliseconds: a node indexes what it has executed within a few seconds. */
const STANDS_MS = 5_000

/** Tells whether a look said why nothing happens: no node that was asked holds the transaction. */
export function isNotHeld({ error }: Pick<Sighting, 'error'>): boolean {
  return error?.code === NOT_HELD.code
}

/** One endpoint's word at a time. */
export type LookAt<Receipt> = (subject: Subject) => Promise<Sighting<Receipt>>

/** What a success is compared by. */
interface Compare<Receipt> {
  readonly did: Deed<Receipt>
  readonly breaks: (sighting: Sighting<Receipt>) => boolean
}

type Comparing<Receipt> = Partial<Compare<Receipt>> & { readonly progress?: readonly string[] | undefined }

/**
 * Asks where a transaction stands, and takes nobody's single word for an end. A negative is told when it has stood for some seconds and every endpoint
 * that answers says it, proven, two of them at least where there are two; a final failure when they say that. An endpoint that is silent contradicts nobody: it
 * would keep a caller waiting for as long as it is down. A success is final when two say so of the same block, and of what it did there, whatever others
 * say: nobody signs anew on it, but what was promised is taken for done. One that lacks what its bytes promise is final only when two show that alike, also
 * where there is one endpoint alone.
 *
 * @param look through the service's failover
 * @param others each endpoint by itself, in the order of the config
 * @param options.did what a success did, for endpoints to agree on @default nothing is compared
 * @param options.breaks whether a success lacks what its bytes promise @default nothing is promised
 * @param options.progress names of facts that say how far the look of one node has come, see `Life` @default none
 */
export async function confirmed<Receipt>(
  look: LookAt<Receipt>,
  others: () => readonly LookAt<Receipt>[],
  subject: Subject,
  now: Date,
  { did = () => null, breaks = () => false, progress = [] }: Comparing<Receipt> = {},
): Promise<Sighting<Receipt>> {
  const compare = { did, breaks }
  const memory = createKept(subject.keep ?? {}, progress)
  const { doubted } = memory
  const of = (keep: Facts): Subject => ({ ...subject, keep: subject.keep === null ? null : keep })
  const sighting = await look(of(memory.own))
  const goOn = { ...sighting.keep, ...memory.witnesses, ...(sighting.unfinished ? { [UNFINISHED]: '1' } : {}) }
  const witness = () => others().map((each, index) => () => each(of(memory.ofWitness(index))))
  if (sighting.status === 'final') return succeeded(sighting, witness(), compare, goOn)
  if (sighting.held === false) return dropped(sighting, witness, subject, now, compare)
  if (!SIGNS_ANEW.has(sighting.status)) return { ...sighting, keep: goOn }
  if (sighting.certainty === 'likely') return unsure(sighting, goOn)
  if (sighting.status === 'failed' && sighting.finality !== 'final') return sighting
  const since = doubted === undefined ? now : new Date(doubted)
  const waits = sighting.status !== 'failed' && now.getTime() - since.getTime() < STANDS_MS
  const doubt = { ...goOn, [DOUBTED]: since.toISOString() }
  if (waits) return unsure(sighting, doubt)
  const witnesses = await Promise.allSettled(witness().map((each) => each()))
  const sightings = witnesses.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const further = { ...doubt, ...memory.progressOf(witnesses.map((each) => (each.status === 'fulfilled' ? each.value.keep : null))) }
  // In a block wins over what overtook it: it can be in one only if it was not overtaken. That it failed there is again one endpoint's word.
  const inclusion = sightings.find(({ block, status }) => block !== null && status !== sighting.status)
  if (inclusion?.status === 'final') return success(inclusion, sightings, witnesses.length, compare, inclusion.keep)
  if (inclusion) return inclusion.status === 'failed' ? unsure(inclusion, further) : inclusion
  const enough = areEnough(sightings, witnesses)
  return enough && sightings.every((each) => agrees(each, sighting)) ? sighting : unsure(sighting, further)
}

/** Asks every endpoint for what one of them says is final; where there is but one, there is nobody else to ask. */
async function succeeded<Receipt>(
  sighting: Sighting<Receipt>,
  witnesses: readonly (() => Promise<Sighting<Receipt>>)[],
  compare: Compare<Receipt>,
  keep: Facts,
): Promise<Sighting<Receipt>> {
  if (witnesses.length === 1) return success(sighting, [sighting], 1, compare, keep)
  const outcomes = await Promise.allSettled(witnesses.map((each) => each()))
  const sightings = outcomes.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  return success(sighting, sightings, witnesses.length, compare, keep)
}

/**
 * What is told of a success.
 *
 * @param sighting as one endpoint tells it
 * @param seen what each of them says that answered
 * @param asked how many there are
 */
function success<Receipt>(
  sighting: Sighting<Receipt>,
  seen: readonly Sighting<Receipt>[],
  asked: number,
  { did, breaks }: Compare<Receipt>,
  keep: Facts,
): Sighting<Receipt> {
  const alike = agreed(seen, asked, did)
  if (alike === null) return breaks(sighting) ? { ...unsure(sighting, keep), error: promiseNotSeen() } : unsure(sighting, keep)
  if (!breaks(alike) || tellers(seen, alike, did) >= AGREEING) return alike
  return { ...unsure(alike, keep), error: promiseNotSeen() }
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
  witness: () => readonly (() => Promise<Sighting<Receipt>>)[],
  subject: Subject,
  now: Date,
  compare: Compare<Receipt>,
): Promise<Sighting<Receipt>> {
  const { accepted, firstSeen } = subject
  if (found.status !== 'pending' || found.error !== null || !accepted || firstSeen === null) return found
  if (now.getTime() - firstSeen.getTime() < PASSED_ON_MS) return found
  const witnesses = await Promise.allSettled(witness().map((each) => each()))
  const sightings = witnesses.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const holder = sightings.find(({ held: holding, status }) => holding !== false && !SIGNS_ANEW.has(status))
  // In a block that stays, by its own word: the next look finds out whether others say so.
  if (holder?.status === 'final') return success(holder, [holder], witnesses.length, compare, holder.keep)
  if (holder) return holder
  const enough = areEnough(sightings, witnesses)
  return enough && sightings.every(({ held: isHeld }) => isHeld === false) ? { ...found, error: NOT_HELD } : found
}

/** Tells whether enough endpoints answered; where none is asked, no answer is enough. */
function areEnough(sightings: readonly unknown[], witnesses: readonly unknown[]): boolean {
  return sightings.length >= Math.max(1, Math.min(AGREEING, witnesses.length))
}

/** Tells whether an endpoint says the same, as firmly as the caller will be told. */
function agrees<Receipt>(witness: Sighting<Receipt>, sighting: Sighting<Receipt>): boolean {
  return witness.status === sighting.status && witness.finality === sighting.finality && witness.certainty === 'proven'
}

/** The same, as long as it is not confirmed: what is in a block stays there, as not final; anything else may still land. */
function unsure<Receipt>(sighting: Sighting<Receipt>, keep: Facts): Sighting<Receipt> {
  if (sighting.status === 'final') return { ...sighting, status: 'included', finality: 'included', certainty: 'likely', keep }
  if (sighting.status === 'failed') return { ...sighting, finality: 'included', certainty: 'likely', keep }
  return { ...sighting, status: 'pending', certainty: 'likely', finality: 'none', replacedBy: null, keep }
}

import { type Facts, isServiceError, type Sighting, type Status, type Subject } from '@svc/contract'
import { AGREEING, agreed, countAgreeing, type Deed } from './agreement.ts'
import { createKept, DOUBTED, UNFINISHED } from './facts-to-keep.ts'
import { promiseNotSeen } from './promise.ts'

/** States after which a caller may sign another transaction in place of this one. */
const SIGNS_ANEW: ReadonlySet<Status> = new Set(['failed', 'replaced', 'expired'])
/** Time for which a negative has to last before it is reported, in milliseconds: a node indexes what it has executed within a few seconds. */
const STANDS_MS = 5_000

/** Tells whether a look reported that nothing happens because no node that was asked holds the transaction. */
export function isNotHeld({ error }: Pick<Sighting, 'error'>): boolean {
  return error?.code === NOT_HELD.code
}

/** Asks for a transaction, through the failover or at one endpoint. */
export type LookAt<Receipt> = (subject: Subject) => Promise<Sighting<Receipt>>

/** Functions by which successes are compared. */
interface Compare<Receipt> {
  readonly did: Deed<Receipt>
  readonly breaks: (sighting: Sighting<Receipt>) => boolean
}

type Comparing<Receipt> = Partial<Compare<Receipt>> & { readonly progress?: readonly string[] | undefined }

/**
 * Finds the state of a transaction, and takes no single endpoint's word for an end or for an absence.
 *
 * Where the endpoint chosen by failover does not show the transaction, in a block or waiting, or cannot tell, every endpoint is asked separately, and the one that shows
 * most counts. A negative is reported when it has stood for some seconds and every endpoint that answers says so, proven, and at least two of them where there are two; a
 * final failure when they say that. A silent endpoint contradicts nobody, since it would keep a caller waiting for as long as it is down.
 *
 * A success is final when two endpoints report it in the same block and with the same effects, whatever others say: nobody signs anew on a success, but the promise is
 * taken for done. An endpoint that says that it no longer holds that time does not lower this number: otherwise one voice would be enough beside it, and a liar would have
 * only to wait until its witness has forgotten. The success then says why it is not final. A success that lacks what its bytes promise is final only when two endpoints
 * show that alike, also where there is one endpoint alone.
 *
 * @param look through the service's failover
 * @param others each endpoint by itself, in the order of the config
 * @param options.did what a success did, for endpoints to agree on @default nothing is compared
 * @param options.breaks whether a success lacks what its bytes promise @default nothing is promised
 * @param options.progress names of facts that say how far the look of one node has come, see `Life` @default none
 * @throws what failover's look throws, where no endpoint by itself tells more
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
  let answers: Promise<readonly Word<Receipt>[]> | undefined
  const witnesses: Witnesses<Receipt> = () =>
    (answers ??= Promise.allSettled(others().map((each, index) => each(of(memory.ofWitness(index))))))
  const [own] = await Promise.allSettled([look(of(memory.own))])
  const { sighting, keeps } = await fullest(own, witnesses, others().length)
  const goOn = {
    ...(sighting === sightingOf(own) ? sighting.keep : memory.besideOwn(sighting.keep)),
    ...memory.witnesses,
    ...memory.progressOf(keeps),
    ...(sighting.unfinished ? { [UNFINISHED]: '1' } : {}),
  }
  if (sighting.status === 'final') return succeeded(sighting, witnesses, others().length, compare, goOn)
  if (sighting.held === false) return dropped(sighting, witnesses, subject, now, compare, goOn)
  if (!SIGNS_ANEW.has(sighting.status)) return { ...sighting, keep: goOn }
  if (sighting.certainty === 'likely') return unsure(sighting, goOn)
  if (sighting.status === 'failed' && sighting.finality !== 'final') return sighting
  const since = doubted === undefined ? now : new Date(doubted)
  const waits = sighting.status !== 'failed' && now.getTime() - since.getTime() < STANDS_MS
  const doubt = { ...goOn, [DOUBTED]: since.toISOString() }
  if (waits) return unsure(sighting, doubt)
  const words = await witnesses()
  const sightings = words.flatMap((each) => sightingOf(each) ?? [])
  const further = { ...doubt, ...memory.progressOf(words.map((each) => sightingOf(each)?.keep ?? null)) }
  // In a block wins over what overtook it: it can be in one only if it was not overtaken. That it failed there is again one endpoint's word.
  const inclusion = sightings.find(({ block, status }) => block !== null && status !== sighting.status)
  if (inclusion?.status === 'final') return success(inclusion, words, compare, inclusion.keep)
  if (inclusion) return inclusion.status === 'failed' ? unsure(inclusion, further) : inclusion
  const enough = areEnough(sightings, words)
  if (!enough || !sightings.every((each) => agrees(each, sighting))) return unsure(sighting, further)
  // Who took its place may be known to one of them alone: another one may have failed for a moment where it was looked for.
  const namer = sighting.replacedBy === null ? sightings.find(({ replacedBy }) => replacedBy !== null) : undefined
  return namer ? { ...sighting, replacedBy: namer.replacedBy, replacedBySame: namer.replacedBySame ?? null } : sighting
}

/** Answer of one endpoint, or the error of its look. */
type Word<Receipt> = PromiseSettledResult<Sighting<Receipt>>

/** Asks each endpoint by itself, once however often it is called. */
type Witnesses<Receipt> = () => Promise<readonly Word<Receipt>[]>

function sightingOf<Receipt>(word: Word<Receipt>): Sighting<Receipt> | undefined {
  return word.status === 'fulfilled' ? word.value : undefined
}

/**
 * Picks the sighting of the endpoint that shows most: failover's own, where it shows the transaction or nobody shows more.
 *
 * @returns with how far each witness has come, in the order of the config; none where none was asked
 * @throws what failover's look threw, where no endpoint by itself tells anything
 */
async function fullest<Receipt>(
  own: Word<Receipt>,
  witnesses: Witnesses<Receipt>,
  count: number,
): Promise<{ readonly sighting: Sighting<Receipt>; readonly keeps: readonly (Facts | null)[] }> {
  const first = sightingOf(own)
  // One endpoint has said all there is already.
  if (first && (count < 2 || weight(first) >= SHOWN)) return { sighting: first, keeps: [] }
  const words = count < 2 || (own.status === 'rejected' && !isOfTransaction(own.reason)) ? [] : await witnesses()
  const others = words.flatMap((word) => sightingOf(word) ?? [])
  // What ended it is contradicted by a block that has it, and by nothing less: whoever has it waiting may be behind.
  const isEnd = first !== undefined && SIGNS_ANEW.has(first.status)
  const sightings = [...(first ? [first] : []), ...(isEnd ? others.filter(({ block }) => block !== null) : others)]
  const [sighting] = sightings.toSorted((one, other) => weight(other) - weight(one))
  if (sighting === undefined) throw own.status === 'rejected' ? own.reason : new TypeError('a look without an end')
  return { sighting, keeps: words.map((word) => sightingOf(word)?.keep ?? null) }
}

/**
 * Finds the endpoints that lack a transaction which one of them took, by asking every one.
 *
 * @param others each endpoint by itself, in the order of the config
 * @param progress as of `confirmed`
 * @returns places in the config, from 0, of the endpoints that have not heard of it, or do not show whether they have, where no more than one shows it; none where there is
 * nobody but the one that took it
 */
export async function lackedBy<Receipt>(
  others: readonly LookAt<Receipt>[],
  subject: Subject,
  progress: readonly string[] = [],
): Promise<readonly number[]> {
  if (others.length < 2) return []
  const memory = createKept(subject.keep ?? {}, progress)
  const words = await Promise.allSettled(others.map((each, place) => each({ ...subject, keep: memory.ofWitness(place) })))
  const sightings = words.map(sightingOf)
  if (sightings.filter((each) => each && weight(each) >= SHOWN).length > 1) return []
  return sightings.flatMap((each, place) => (each?.held === false || each?.held === null ? [place] : []))
}

/** Weight of a sighting that shows the transaction, in a block or waiting. */
const SHOWN = 2

/** Tells how much a sighting shows: the transaction in a block, or waiting; that it can or cannot land, which others may contradict; nothing. */
function weight({ block, status, certainty }: Sighting): number {
  if (block !== null) return SHOWN + 1
  if (status === 'pending' && certainty === 'proven') return SHOWN
  return status === 'unknown' ? 0 : 1
}

/** Codes with which a family says that an endpoint no longer holds, or never kept, what tells of a transaction: others may. */
const CANNOT_TELL: ReadonlySet<string> = new Set(['TRANSACTION_UNSEEN', 'TRANSACTION_NOT_KEPT'])

/** Tells whether a look failed at what one endpoint holds of the transaction. Where none could be reached, failover has asked them all. */
function isOfTransaction(reason: unknown): boolean {
  return isServiceError(reason) && (CANNOT_TELL.has(reason.code) || reason.code === 'UPSTREAM_BEHIND')
}

/** Tells whether an endpoint says itself that it cannot have seen what is in a block of that height. */
function isBlind<Receipt>(word: Word<Receipt>, height: bigint | null): boolean {
  if (word.status === 'rejected') return isServiceError(word.reason) && CANNOT_TELL.has(word.reason.code)
  const { block, holdsFrom = null } = word.value
  return block === null && holdsFrom !== null && height !== null && holdsFrom > height
}

/** Reason why a success is not reported as final: no endpoint is left that could contradict it. */
const ONE_VOICE = {
  code: 'ONE_VOICE',
  reason:
    'One endpoint says that it is final, and another one says itself that it no longer holds that time, or keeps no index: one voice is no end. It is final as soon as a second endpoint that keeps it says the same; configure one.',
} as const

/** Asks every endpoint for what one of them says is final; where there is but one, there is nobody else to ask. */
async function succeeded<Receipt>(
  sighting: Sighting<Receipt>,
  witnesses: Witnesses<Receipt>,
  count: number,
  compare: Compare<Receipt>,
  keep: Facts,
): Promise<Sighting<Receipt>> {
  return success(sighting, count === 1 ? [{ status: 'fulfilled', value: sighting }] : await witnesses(), compare, keep)
}

/**
 * Returns what is told of a success.
 *
 * @param sighting as one endpoint tells it
 * @param words what each of those that are asked says
 */
function success<Receipt>(
  sighting: Sighting<Receipt>,
  words: readonly Word<Receipt>[],
  { did, breaks }: Compare<Receipt>,
  keep: Facts,
): Sighting<Receipt> {
  const sightings = words.flatMap((each) => sightingOf(each) ?? [])
  const height = sighting.block?.height ?? null
  const alike = agreed(sightings, words.length, did)
  if (alike === null) {
    const error = breaks(sighting) ? promiseNotSeen() : words.some((word) => isBlind(word, height)) ? ONE_VOICE : sighting.error
    return { ...unsure(sighting, keep), error }
  }
  if (!breaks(alike) || countAgreeing(sightings, alike, did) >= AGREEING) return alike
  return { ...unsure(alike, keep), error: promiseNotSeen() }
}

/** Time for which a transaction may wait before it is reported that no node holds it, in milliseconds: nodes pass a transaction on within seconds. */
const PASSED_ON_MS = 60_000

const NOT_HELD = {
  code: 'NOT_HELD',
  reason:
    'No node that was asked holds this transaction now, in a block or waiting. It can still land: sending the same bytes again is safe, and crafting another is not.',
} as const

/** Asks every endpoint for a transaction that was accepted and that one of them does not hold. Nothing of it is over: it says why nothing happens. */
async function dropped<Receipt>(
  found: Sighting<Receipt>,
  witnesses: Witnesses<Receipt>,
  { accepted, firstSeen }: Subject,
  now: Date,
  compare: Compare<Receipt>,
  keep: Facts,
): Promise<Sighting<Receipt>> {
  const same = { ...found, keep }
  if (found.status !== 'pending' || found.error !== null || !accepted || firstSeen === null) return same
  if (now.getTime() - firstSeen.getTime() < PASSED_ON_MS) return same
  const words = await witnesses()
  const sightings = words.flatMap((each) => sightingOf(each) ?? [])
  const holder = sightings.find(({ held: holding, status }) => holding !== false && !SIGNS_ANEW.has(status))
  // In a block that stays, by its own word: the next look finds out whether others say so.
  if (holder?.status === 'final') return success(holder, words, compare, holder.keep)
  if (holder) return holder
  const enough = areEnough(sightings, words)
  return enough && sightings.every(({ held: isHeld }) => isHeld === false) ? { ...same, error: NOT_HELD } : same
}

/** Tells whether enough endpoints answered; where none is asked, no answer is enough. */
function areEnough(sightings: readonly unknown[], witnesses: readonly unknown[]): boolean {
  return sightings.length >= Math.max(1, Math.min(AGREEING, witnesses.length))
}

/** Tells whether an endpoint says the same, as firmly as the caller will be told. */
function agrees<Receipt>(witness: Sighting<Receipt>, sighting: Sighting<Receipt>): boolean {
  return witness.status === sighting.status && witness.finality === sighting.finality && witness.certainty === 'proven'
}

/** Returns a sighting as it is told until it is confirmed: what is in a block stays there, as not final; anything else may still land. */
function unsure<Receipt>(sighting: Sighting<Receipt>, keep: Facts): Sighting<Receipt> {
  if (sighting.status === 'final') return { ...sighting, status: 'included', finality: 'included', certainty: 'likely', keep }
  if (sighting.status === 'failed') return { ...sighting, finality: 'included', certainty: 'likely', keep }
  return { ...sighting, status: 'pending', certainty: 'likely', finality: 'none', replacedBy: null, keep }
}

import { EndpointError, type Facts, type KitContext, nodeBehind, type Sighting, type Subject } from '@svc/contract'
import type { MoveClient, MoveNode } from '../client.ts'
import { serviceError } from '../codes.ts'
import { firstCheckpoint } from '../first-checkpoint.ts'
import type { MoveSettings } from '../settings.ts'
import { EXECUTED_PATHS, executedOf } from './executed.ts'
import { findTransaction } from './find.ts'
import { type Objects, readObjects } from './objects.ts'
import type { Place } from './place.ts'
import type { MoveReceipt } from './receipt.ts'
import { type Rival, readRivals } from './rival.ts'
import { readValidity, type Validity, validUntilOf } from './validity.ts'

type Sight = Sighting<MoveReceipt>

/** Checkpoints that may lie between two nodes behind one address, or between two answers of one wave: some minutes of them. */
const APART = 1000n
/** Time after the first sight of a transaction's bytes for which a node may still lack its inputs, in milliseconds. A node is seconds behind. */
const UNMADE_MS = 60_000
const NOTHING: Objects = { untouched: false, moved: false, missing: false, writers: [], place: null }

/**
 * Finds the state of a transaction, in one wave where it was executed or can still be, else in two. The look reads what may have overtaken the transaction before it looks
 * for the transaction again.
 *
 * It keeps `since`, a checkpoint up to which the transaction had not been executed; `head`, the first head that was seen; and `rival`, a transaction that wrote one of its
 * objects. The transaction is reported as replaced when another one took an object in the very version that it needs, which proves itself. Otherwise a replacement, like an
 * expiry, is reported only by a node that has all checkpoints after `since`.
 */
export async function lookMove({ client, now }: KitContext<MoveClient, MoveSettings>, subject: Subject): Promise<Sight> {
  const validity = subject.bounds && readValidity(subject.bounds.facts)
  return client.exchange((node) => lookAt(node, { subject, validity, keep: subject.keep ?? {}, now: now() }))
}

interface Looking {
  readonly subject: Subject
  readonly validity: Validity | null
  readonly keep: Facts
  readonly now: Date
}

async function lookAt(node: MoveNode, looking: Looking): Promise<Sight> {
  const { subject, validity, keep } = looking
  const [info, execution, read, floor, ends] = await Promise.all([
    node.live,
    findTransaction(node, subject.txHash, EXECUTED_PATHS),
    // Where it was executed, nobody wants them.
    validity ? settled(readObjects(node, validity.references)) : NOTHING,
    validity && validity.from !== null && keep.since === undefined ? floorOf(node, validity.from) : null,
    validity && validity.until !== null ? endOf(node, validity.until) : null,
  ])
  const shared = { replacedBy: null, validUntil: validity && validUntilOf(validity, ends) }
  if ('transaction' in execution)
    return { ...shared, ...executedOf(execution.transaction, validity?.budget ?? null, info), lookedAt: info.height, keep }
  const over = validity !== null && validity.until !== null && info.epoch > validity.until
  // An archive may have no present objects to show, and can tell of what is past all the same.
  if (read instanceof Error && !over && keep.rival === undefined) throw read
  const objects = read instanceof Error ? NOTHING : read
  const place = execution.absent
  const memory = remembered(keep, objects, place, floor)
  const absent = { ...shared, ...ABSENT, lookedAt: place?.height ?? null, holdsFrom: place?.lowest ?? null, keep: memory }
  if (validity === null) return { ...absent, status: statusOfHash(subject, memory, place) }
  const waiting: Sight = { ...absent, status: 'pending' }
  const missing = objects.missing && subject.firstSeen !== null && info.time.getTime() > subject.firstSeen.getTime() + UNMADE_MS
  const doubted = over || objects.moved || missing || keep.rival !== undefined
  if (doubted) return overtaken(node, looking, { waiting, validity, objects, missing })
  // What was taken is executed within seconds, or held by nobody: its objects are still there to be taken.
  return objects.untouched ? { ...waiting, held: false } : waiting
}

interface Doubt {
  readonly waiting: Sight
  readonly validity: Validity
  readonly objects: Objects
  /** An object that it takes is not there, and was. */
  readonly missing: boolean
}

/** Tells what is proven of a transaction that something seems to have overtaken. @throws EndpointError for a node that can prove nothing of it */
async function overtaken(node: MoveNode, { subject, keep }: Looking, { waiting, validity, objects, missing }: Doubt): Promise<Sight> {
  const { txHash } = subject
  const writers = [...new Set([...objects.writers, ...(keep.rival === undefined ? [] : [keep.rival])])]
  const [info, execution, rivals] = await Promise.all([
    node.live,
    findTransaction(node, txHash, EXECUTED_PATHS),
    readRivals(
      node,
      writers.filter((digest) => digest !== txHash),
      validity.references,
    ),
  ])
  if ('transaction' in execution) return { ...waiting, ...executedOf(execution.transaction, validity.budget, info), lookedAt: info.height }
  const place = execution.absent
  const rival = rivals.find(({ proves }) => proves)
  const memory = rival ? { ...waiting.keep, rival: rival.digest } : waiting.keep
  const dead = { ...waiting, certainty: 'proven', lookedAt: place?.height ?? null, keep: memory } as const
  if (rival && hasSeen(place, rivals)) return { ...dead, status: 'replaced', replacedBy: rival.digest }
  if (!couldKnow(place, waiting.keep)) throw unseen()
  // It wrote one of the objects itself, or the node lies behind what was seen: it will be found.
  if (writers.includes(txHash) || !hasSeen(place, rivals)) throw nodeBehind(place)
  if (missing || rivals.some(({ wrote }) => wrote)) return { ...dead, status: 'replaced' }
  // Whoever moved an object after all that the node has would be there as well.
  if (objects.moved) throw nodeBehind(place)
  if (validity.until !== null && place.epoch > validity.until) return { ...dead, status: 'expired' }
  return waiting
}

const ABSENT = { finality: 'none', certainty: 'likely', block: null, fee: null, receipt: null, error: null } as const

/** Tells the status of a transaction of which the hash alone is known: nothing proves that it cannot land. */
function statusOfHash({ accepted }: Subject, { head }: Facts, place: Place | null): 'unknown' | 'pending' {
  if (!accepted) return 'unknown'
  // It was accepted before it was first looked for.
  if (head === undefined || !couldKnow(place, { since: String(BigInt(head) - APART) })) throw unseen()
  return 'pending'
}

/** Returns the facts that the next look needs. */
function remembered(keep: Facts, objects: Objects, place: Place | null, floor: bigint | null): Facts {
  const untouched = objects.untouched && objects.place !== null ? objects.place.height - APART : null
  const since = highest([keep.since === undefined ? null : BigInt(keep.since), untouched, floor])
  const head = keep.head ?? place?.height
  return {
    ...keep,
    ...(since === null ? {} : { since: String(since) }),
    ...(head === undefined ? {} : { head: String(head) }),
  }
}

function highest(heights: readonly (bigint | null)[]): bigint | null {
  return heights.reduce((most, height) => (height !== null && (most === null || height > most) ? height : most), null)
}

/** Tells whether a node would have a transaction, had it been executed after what is known: the node has every checkpoint since, and is past that. */
function couldKnow(place: Place | null, { since = '0' }: Facts): place is Place {
  const first = BigInt(since) < 0n ? 0n : BigInt(since)
  return place !== null && place.lowest !== null && place.lowest <= first && first <= place.height
}

/** Tells whether a node is past all that may have overtaken the transaction. */
function hasSeen(place: Place | null, rivals: readonly Rival[]): boolean {
  return rivals.every(({ checkpoint }) => checkpoint === null || (place !== null && place.height >= checkpoint))
}

/** Returns the first checkpoint of the first epoch in which a transaction could land; null where the node does not know. */
async function floorOf({ sui }: MoveNode, epoch: bigint): Promise<bigint | null> {
  const checkpoint = await settled(firstCheckpoint({ sui }, epoch))
  return checkpoint instanceof Error ? null : checkpoint
}

/** Works out when an epoch ends, by the length of epochs; null where the node does not know. */
async function endOf(node: MoveNode, epoch: bigint): Promise<Date | null> {
  const state = await settled(node.systemState())
  return state instanceof Error ? null : new Date(Number(state.epochStartMs + state.epochDurationMs * (epoch - state.epoch + 1n)))
}

/** Returns the outcome of some work, or its error. */
function settled<T>(work: Promise<T>): Promise<T | Error> {
  return work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
}

/** Makes the fault of a node that no longer holds the time in which the transaction could have been executed; another one may. */
function unseen(): EndpointError {
  return new EndpointError(
    'not held',
    serviceError(
      503,
      'TRANSACTION_UNSEEN',
      'The endpoints no longer hold the time in which the transaction was sent, so that nothing can be said of it; the operator can add an archive endpoint.',
    ),
  )
}

import { GrpcStatusCode, GrpcTypes } from '@mysten/sui/grpc'
import { malformedAnswer } from '@svc/contract'
import { answer } from '../answer.ts'
import type { MoveNode } from '../client.ts'
import { isDigest } from '../digest.ts'
import { type Place, placeOf } from './place.ts'
import type { Reference } from './references.ts'

/** Changes of the objects that a transaction takes. */
export interface Objects {
  /** One is as it takes it: by then, it had not been executed. */
  readonly untouched: boolean
  /** One has a later version. */
  readonly moved: boolean
  /** One is not there: deleted, put into another, or not yet made for this node. */
  readonly missing: boolean
  /** Digests of the transactions that wrote the later versions. */
  readonly writers: readonly string[]
  /** Place of the node that said so. */
  readonly place: Place | null
}

/** Ids of one request: the client's own number. @see https://github.com/MystenLabs/ts-sdks `packages/sui/src/grpc/core.ts` (read 2026-11-22) */
const BATCH = 50
const PATHS = ['object_id', 'version', 'digest', 'owner', 'previous_transaction']

/** Reads the present versions of objects, in one wave. @throws EndpointError */
export async function readObjects(node: MoveNode, references: readonly Reference[]): Promise<Objects> {
  const batches = Array.from({ length: Math.ceil(references.length / BATCH) }, (_, at) => references.slice(at * BATCH, (at + 1) * BATCH))
  const read = await Promise.all(batches.map((batch) => readBatch(node, batch)))
  const states = read.flatMap(({ states }) => states)
  const has = (is: State['is']) => states.some((state) => state.is === is)
  return {
    untouched: has('untouched'),
    moved: has('moved'),
    missing: has('missing'),
    writers: [...new Set(states.flatMap((state) => (state.is === 'moved' ? [state.by] : [])))],
    place: read[0]?.place ?? null,
  }
}

type State = { readonly is: 'untouched' | 'missing' | 'unsure' } | { readonly is: 'moved'; readonly by: string }

async function readBatch({ sui, live }: MoveNode, batch: readonly Reference[]): Promise<{ states: State[]; place: Place | null }> {
  const call = sui.ledgerService.batchGetObjects({
    requests: batch.map(({ id }) => ({ objectId: id })),
    readMask: { paths: PATHS },
  })
  const { objects } = await answer(call.response)
  if (objects.length !== batch.length) throw malformedAnswer(objects.length)
  const states = batch.map((reference, at) => stateOf(reference, objects[at]))
  return { states, place: placeOf(await call.headers.catch(() => null), await live) }
}

function stateOf({ id, version, digest }: Reference, lookup: GrpcTypes.GetObjectResult | undefined): State {
  const { result } = lookup ?? {}
  if (result?.oneofKind === 'error') return { is: result.error.code === GrpcStatusCode.NOT_FOUND ? 'missing' : 'unsure' }
  if (result?.oneofKind !== 'object') throw malformedAnswer(lookup)
  const { object } = result
  if (object.objectId !== id || object.version === undefined) throw malformedAnswer(object)
  // This node has not seen yet what the transaction takes.
  if (object.version < version) return { is: 'unsure' }
  if (object.version > version) {
    if (!isDigest(object.previousTransaction ?? '')) throw malformedAnswer(object)
    return { is: 'moved', by: object.previousTransaction ?? '' }
  }
  if (object.digest !== digest) throw malformedAnswer(object)
  // What nobody owns keeps its version whoever takes it.
  return { is: object.owner?.kind === GrpcTypes.Owner_OwnerKind.ADDRESS ? 'untouched' : 'unsure' }
}

import { GrpcTypes } from '@mysten/sui/grpc'
import { isValidStructTag, isValidTransactionDigest, normalizeStructTag } from '@mysten/sui/utils'
import { malformedAnswer, requireSent } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { answer, failureOf, isUnimplemented, upTo, verdictOf } from '../answer.ts'
import type { MoveNode } from '../client.ts'
import { type Page, pageOf } from '../pages.ts'
import { LAST_SECOND, MOST_CHECKPOINT } from '../service-info.ts'
import { MOST_EPOCH } from '../system-state.ts'

/** Transactions of a page: they come with the contents of objects, and a node answers fewer where it wants to. */
const PAGE = 100
/** Transactions of one batch; nodes take 200. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-rpc-api (MAX_BATCH_REQUESTS, read 2026-11-21) */
const BATCH = 50
/** Greatest version of an object: a u64. */
const MOST_VERSION = 2n ** 64n - 1n

/** An object as it stood before a transaction, or after it. */
export interface ObjectState {
  readonly version: bigint
  /** Address that has it alone; null: nobody has, or an object. */
  readonly owner: string | null
  /** BCS of the object; null where the node no longer has it. */
  readonly contents: Uint8Array | null
}

/** Change of an object by a transaction. */
export interface ObjectChange {
  readonly id: string
  readonly type: string
  /** null: it was not there, or inside of another object. */
  readonly before: ObjectState | null
  /** null: it is gone, or inside of another object. */
  readonly after: ObjectState | null
  /** True if it was made or removed, and did not come out of another object or go into one. */
  readonly isWhole: boolean
}

/** An executed transaction, with the objects of certain types that it changed. */
export interface OwnersTransaction {
  /** Base58. */
  readonly digest: string
  readonly checkpoint: bigint
  readonly time: Date
  readonly epoch: bigint
  readonly sender: string
  readonly changes: readonly ObjectChange[]
  readonly events: readonly { readonly type: string; readonly contents: Uint8Array }[]
}

/** Query for the transactions that moved what an address has. */
interface OwnersQuery {
  readonly address: string
  /** First and last checkpoint. */
  readonly from: bigint
  readonly until: bigint
  /** `next` of the page before. */
  readonly after: Uint8Array | null
  /** Full names of the types whose changes are wanted. */
  readonly types: ReadonlySet<string>
}

const PATHS = [
  'digest',
  'checkpoint',
  'timestamp',
  'transaction.sender',
  'effects.transaction_digest',
  'effects.epoch',
  'effects.changed_objects',
  'events',
  'objects.objects.object_id',
  'objects.objects.version',
  'objects.objects.contents',
]

/**
 * Reads a page of the transactions that changed an object of an address or its balance, oldest first: whoever sent them.
 *
 * @returns `no_index` where the node has no such list, `pruned` where it no longer has the first checkpoint
 * @throws EndpointError
 * @see https://github.com/MystenLabs/sui-apis/blob/main/proto/sui/rpc/v2/filter.proto (AffectedAddressFilter, read 2026-11-29)
 */
export async function readOwnersPage(
  { sui }: Pick<MoveNode, 'sui'>,
  { address, from, until, after, types }: OwnersQuery,
): Promise<Page<OwnersTransaction> | 'no_index' | 'pruned'> {
  const predicate = { oneofKind: 'affectedAddress' as const, affectedAddress: { address } }
  const call = sui.ledgerService.listTransactions({
    readMask: { paths: PATHS },
    startCheckpoint: from,
    endCheckpoint: until + 1n,
    filter: { terms: [{ literals: [{ negated: false, predicate }] }] },
    options: { limit: PAGE, ...(after === null ? {} : { after }) },
  })
  try {
    return await pageOf(call.responses, { from, after, most: PAGE }, ({ transaction }) => transaction && readOne(transaction, types))
  } catch (error) {
    if (isUnimplemented(error)) return 'no_index'
    if (verdictOf(error)?.code === 'OUT_OF_RANGE') return 'pruned'
    throw failureOf(error) ?? unanswered(error)
  }
}

/** Reads transactions by their digests, in their order; null for one that the node does not have. @throws EndpointError */
export async function readByDigest(
  { sui }: Pick<MoveNode, 'sui'>,
  digests: readonly string[],
  types: ReadonlySet<string>,
): Promise<readonly (OwnersTransaction | null)[]> {
  const lots = Array.from({ length: Math.ceil(digests.length / BATCH) }, (_, at) => digests.slice(at * BATCH, (at + 1) * BATCH))
  const lists = await Promise.all(
    lots.map(async (lot) => {
      const { transactions } = await answer(sui.ledgerService.batchGetTransactions({ digests: lot, readMask: { paths: PATHS } }).response)
      return lot.map((_, at) => {
        const result = transactions[at]?.result
        return result?.oneofKind === 'transaction' ? readOne(result.transaction, types) : null
      })
    }),
  )
  return lists.flat()
}

/** @throws EndpointError */
function readOne(message: GrpcTypes.ExecutedTransaction, types: ReadonlySet<string>): OwnersTransaction {
  const { digest, checkpoint, timestamp, transaction, effects, events, objects } = message
  const { epoch, changedObjects, transactionDigest } = requireSent(effects)
  const { seconds, nanos } = requireSent(timestamp)
  const sender = requireSent(transaction?.sender)
  if (!isValidTransactionDigest(requireSent(digest)) || transactionDigest !== digest) throw malformedAnswer(digest)
  const contents = new Map((objects?.objects ?? []).map(({ objectId, version, contents: it }) => [`${objectId}@${version}`, it?.value]))
  return {
    digest: requireSent(digest),
    checkpoint: upTo(MOST_CHECKPOINT, checkpoint),
    time: new Date(Number(upTo(LAST_SECOND, seconds)) * 1000 + Math.floor(nanos / 1e6)),
    epoch: upTo(MOST_EPOCH, epoch),
    sender,
    changes: changedObjects.flatMap((change) => changeOf(change, types, contents) ?? []),
    events: (events?.events ?? []).map(({ eventType, contents: it }) => ({
      type: normalizeStructTag(requireSent(eventType)),
      contents: requireSent(it?.value),
    })),
  }
}

function changeOf(
  change: GrpcTypes.ChangedObject,
  types: ReadonlySet<string>,
  contents: ReadonlyMap<string, Uint8Array | undefined>,
): ObjectChange | null {
  const { objectId: id = '', objectType = '', inputState, outputState, idOperation } = change
  const type = isValidStructTag(objectType) ? normalizeStructTag(objectType) : ''
  if (!types.has(type)) return null
  const state = (version: bigint | undefined, owner: GrpcTypes.Owner | undefined): ObjectState => ({
    version: upTo(MOST_VERSION, version),
    owner: holderOf(requireSent(owner)),
    contents: contents.get(`${id}@${version}`) ?? null,
  })
  const isBefore = inputState === GrpcTypes.ChangedObject_InputObjectState.EXISTS
  const isAfter = outputState === GrpcTypes.ChangedObject_OutputObjectState.OBJECT_WRITE
  return {
    id,
    type,
    before: isBefore ? state(change.inputVersion, change.inputOwner) : null,
    after: isAfter ? state(change.outputVersion, change.outputOwner) : null,
    isWhole: idOperation !== GrpcTypes.ChangedObject_IdOperation.NONE,
  }
}

/** Returns the address that has an object alone. */
function holderOf({ kind, address }: GrpcTypes.Owner): string | null {
  const { ADDRESS, CONSENSUS_ADDRESS } = GrpcTypes.Owner_OwnerKind
  return kind === ADDRESS || kind === CONSENSUS_ADDRESS ? requireSent(address) : null
}

import type { GrpcTypes } from '@mysten/sui/grpc'
import { isValidStructTag, isValidTransactionDigest, normalizeStructTag } from '@mysten/sui/utils'
import { malformedAnswer, requireSent } from '@svc/contract'
import { answer, isUnimplemented, upTo } from './answer.ts'
import type { MoveNode } from './client.ts'
import { type Page, pageOf } from './pages.ts'
import { MOST_CHECKPOINT } from './service-info.ts'

/** Most events of a page, as nodes have it. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-rpc-api/src/config.rs (LIST_EVENTS_DEFAULTS, read 2026-11-23) */
const PAGE = 1000

/** An event where it stands on the chain. */
export interface ListedEvent {
  readonly checkpoint: bigint
  /** Digest of the transaction that emitted it, base58. */
  readonly transaction: string
  readonly contents: Uint8Array
}

/** Query for events. */
export interface EventQuery {
  /** Full name of the event's type. */
  readonly type: string
  /** First checkpoint. */
  readonly from: bigint
  /** `next` of the page before. */
  readonly after: Uint8Array | null
}

/**
 * Reads a page of the events of a type, oldest first. A page may be empty and not be the last.
 *
 * @returns null where the node has no such list: not every node keeps the index that it is read from
 * @throws EndpointError, for a page too that does not say where it ends, or would end where it began
 * @see https://github.com/MystenLabs/sui-apis/blob/main/proto/sui/rpc/v2/ledger_service.proto (ListEvents, read 2026-11-23)
 */
export async function readEventPage({ sui }: Pick<MoveNode, 'sui'>, query: EventQuery): Promise<Page<ListedEvent> | null> {
  const { type, from, after } = query
  const predicate = { oneofKind: 'eventType' as const, eventType: { eventType: type } }
  const call = sui.ledgerService.listEvents({
    readMask: { paths: ['event_type', 'contents', 'checkpoint', 'transaction_digest'] },
    startCheckpoint: from,
    filter: { terms: [{ literals: [{ negated: false, predicate }] }] },
    options: { limit: PAGE, ...(after === null ? {} : { after }) },
  })
  try {
    return await answer(pageOf(call.responses, { from, after, most: PAGE }, ({ event }) => event && eventOf(event, type, from)))
  } catch (error) {
    if (isUnimplemented(error)) return null
    throw error
  }
}

function eventOf(event: GrpcTypes.Event, typeName: string, from: bigint): ListedEvent {
  const type = requireSent(event.eventType)
  const transaction = requireSent(event.transactionDigest)
  const checkpoint = upTo(MOST_CHECKPOINT, event.checkpoint)
  if (!isValidStructTag(type) || normalizeStructTag(type) !== typeName || !isValidTransactionDigest(transaction) || checkpoint < from)
    throw malformedAnswer(event)
  return { checkpoint, transaction, contents: requireSent(event.contents?.value) }
}

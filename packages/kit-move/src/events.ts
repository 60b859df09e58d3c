import { GrpcTypes } from '@mysten/sui/grpc'
import { isValidStructTag, isValidTransactionDigest, normalizeStructTag } from '@mysten/sui/utils'
import { malformedAnswer, requireSent } from '@svc/contract'
import { answer, isUnimplemented, upTo } from './answer.ts'
import type { MoveNode } from './client.ts'
import { MOST_CHECKPOINT } from './service-info.ts'

/** Most events of a page, as nodes have it. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-rpc-api/src/config.rs (LIST_EVENTS_DEFAULTS, read 2026-11-23) */
const PAGE = 1000
/** Most frames of a page that bring no event, and only say how far the scan has come. */
const PROGRESS = 10_000

/** An event where it stands on the chain. */
export interface ListedEvent {
  readonly checkpoint: bigint
  /** Digest of the transaction that emitted it, base58. */
  readonly transaction: string
  readonly contents: Uint8Array
}

export interface EventPage {
  readonly events: readonly ListedEvent[]
  /** The last checkpoint of which every event is in this page or one before it; null where the page does not come to the end of any. */
  readonly covered: bigint | null
  /** From where on to go on; null: there are no more. */
  readonly next: Uint8Array | null
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

const { ITEM_LIMIT, SCAN_LIMIT, CHECKPOINT_BOUND, CURSOR_BOUND, LEDGER_TIP } = GrpcTypes.QueryEndReason
const GOES_ON: ReadonlySet<unknown> = new Set([ITEM_LIMIT, SCAN_LIMIT])
const ENDS: ReadonlySet<unknown> = new Set([CHECKPOINT_BOUND, CURSOR_BOUND, LEDGER_TIP])

/**
 * Reads a page of the events of a type, oldest first. A page may be empty and not be the last.
 *
 * @returns null where the node has no such list: not every node keeps the index that it is read from
 * @throws EndpointError, for a page too that does not say where it ends, or would end where it began
 * @see https://github.com/MystenLabs/sui-apis/blob/main/proto/sui/rpc/v2/ledger_service.proto (ListEvents, read 2026-11-23)
 */
export async function readEventPage({ sui }: Pick<MoveNode, 'sui'>, query: EventQuery): Promise<EventPage | null> {
  const { type, from, after } = query
  const predicate = { oneofKind: 'eventType' as const, eventType: { eventType: type } }
  const call = sui.ledgerService.listEvents({
    readMask: { paths: ['event_type', 'contents', 'checkpoint', 'transaction_digest'] },
    startCheckpoint: from,
    filter: { terms: [{ literals: [{ negated: false, predicate }] }] },
    options: { limit: PAGE, ...(after === null ? {} : { after }) },
  })
  try {
    return await answer(pageOf(call.responses, query))
  } catch (error) {
    if (isUnimplemented(error)) return null
    throw error
  }
}

async function pageOf(frames: AsyncIterable<GrpcTypes.ListEventsResponse>, { type, from, after }: EventQuery): Promise<EventPage> {
  const events: ListedEvent[] = []
  let covered: bigint | null = null
  let count = 0
  let ended: GrpcTypes.ListEventsResponse | undefined
  for await (const frame of frames) {
    if (ended !== undefined || ++count > PAGE + PROGRESS) throw malformedAnswer(frame)
    const { checkpoint } = requireSent(frame.watermark)
    if (checkpoint !== undefined) {
      const reached = upTo(MOST_CHECKPOINT, checkpoint)
      if (reached < (covered ?? from)) throw malformedAnswer(frame)
      covered = reached
    }
    if (frame.event !== undefined) events.push(eventOf(frame.event, type, from))
    if (frame.end !== undefined) ended = frame
  }
  const { reason } = requireSent(ended?.end)
  if (events.length > PAGE || !(GOES_ON.has(reason) || ENDS.has(reason))) throw malformedAnswer(reason)
  if (ENDS.has(reason)) return { events, covered, next: null }
  const next = requireSent(ended?.watermark?.cursor)
  if (next.length === 0 || (after !== null && Buffer.compare(next, after) === 0)) throw malformedAnswer(next)
  return { events, covered, next }
}

function eventOf(event: GrpcTypes.Event, typeName: string, from: bigint): ListedEvent {
  const type = requireSent(event.eventType)
  const transaction = requireSent(event.transactionDigest)
  const checkpoint = upTo(MOST_CHECKPOINT, event.checkpoint)
  if (!isValidStructTag(type) || normalizeStructTag(type) !== typeName || !isValidTransactionDigest(transaction) || checkpoint < from)
    throw malformedAnswer(event)
  return { checkpoint, transaction, contents: requireSent(event.contents?.value) }
}

import { GrpcTypes } from '@mysten/sui/grpc'
import { GrpcError, invalid } from '../errors.ts'
import type { Node } from '../node.ts'
import type { ExecutedTransaction } from '../tx/executed.ts'
import type { MoveEvent } from '../vm/world.ts'
import { type Cursor, compare, isAfter, isBefore, type Position, readCursor, writeCursor } from './event-cursor.ts'
import { matcherOf } from './event-filter.ts'
import { project, readMask } from './mask.ts'
import type { StreamHandler } from './method.ts'

/**
 * Events of a page when nothing is said, and at most, and the mask that is taken when none is given.
 *
 * @see MystenLabs/sui sui-rpc-api config.rs, read_mask_defaults.rs (read 2026-11-23)
 */
const defaultPage = 50
const maxPage = 1000
const defaultMask = 'event_type'

/** Checkpoints without a match after which a frame says how far the scan has come. */
const progressEvery = 1000n

const Reason = GrpcTypes.QueryEndReason

/** What a list has at a position of the chain. */
interface Item<T> {
  readonly at: Position
  readonly of: T
}

/** An event, and the transaction that emitted it. */
interface Emitted {
  readonly executed: ExecutedTransaction
  readonly event: MoveEvent
}

/** Bounds of a list, as requests have them. */
type Bounds = Pick<GrpcTypes.ListEventsRequest, 'startCheckpoint' | 'endCheckpoint' | 'options'>

/** Frame of a list without what it brings. */
type Frame = Pick<GrpcTypes.ListEventsResponse, 'watermark' | 'end'>

/** Interval that is scanned: positions from `low` on and below `high`, in checkpoints that the node still has. */
interface Interval {
  readonly low: Position
  readonly high: Position
  readonly descending: boolean
  /** Why it ends where it ends. */
  readonly reason: GrpcTypes.QueryEndReason
}

/**
 * Answers `ListEvents`: the events of executed transactions, each with its position, and in every frame the position from which to continue. Ends after so many events,
 * after so many checkpoints (the knob `scanLimit`), or at the end of the interval.
 *
 * @see MystenLabs/sui sui-rpc-api list_events.rs, query_options.rs, ledger_read.rs (read 2026-11-23)
 */
export const listEvents: StreamHandler<GrpcTypes.ListEventsRequest> = (node, request) => {
  const mask = readMask(GrpcTypes.Event, request.readMask?.paths, defaultMask)
  const limit = limitOf(request)
  const matches = request.filter === undefined ? () => true : matcherOf(request.filter)
  const interval = intervalOf(node, request)
  const events = eventsIn(node, interval).filter(({ of: { executed, event } }) => matches(event, executed.data.sender))
  return framesOf(node, interval, events, limit, ({ at, of: { executed, event } }) => ({
    event: project(GrpcTypes.Event, eventMessage(at, executed, event), mask),
  }))
}

/** Reads how many items a page has at most. */
export function limitOf({ options }: Bounds): number {
  return Math.min(Math.max(options?.limit ?? defaultPage, 1), maxPage)
}

/** Reads which positions a list goes through. @throws GrpcError `INVALID_ARGUMENT`, `OUT_OF_RANGE` below what the node keeps */
export function intervalOf(node: Node, { startCheckpoint, endCheckpoint, options }: Bounds): Interval {
  if (endCheckpoint !== undefined && endCheckpoint < (startCheckpoint ?? 0n))
    throw invalid('end_checkpoint must be greater than or equal to start_checkpoint')
  const descending = options?.ordering === GrpcTypes.Ordering.DESCENDING
  const after = options?.after === undefined ? undefined : readCursor('options.after', options.after)
  const before = options?.before === undefined ? undefined : readCursor('options.before', options.before)
  const tip = node.checkpoint + 1n
  const isBounded = endCheckpoint !== undefined && endCheckpoint <= tip
  const ends = first(isBounded ? endCheckpoint : tip)
  const begins = first(startCheckpoint ?? 0n)
  const low = after === undefined ? begins : later(begins, isAfter(after))
  const high = before === undefined ? ends : earlier(ends, isBefore(before))
  const isExplicit = startCheckpoint !== undefined || after !== undefined
  const isEmpty = compare(low, high) >= 0
  if (!isEmpty && isExplicit && low.checkpoint < node.lowest) {
    // A checkpoint holds one transaction here, so that their numbers are the same.
    throw new GrpcError('OUT_OF_RANGE', `requested data below earliest available; lowest available tx_seq is ${node.lowest}`)
  }
  const cut = descending ? after !== undefined && compare(low, begins) > 0 : before !== undefined && compare(high, ends) < 0
  const crossed = isEmpty && (after !== undefined || before !== undefined)
  const bound = descending || isBounded ? Reason.CHECKPOINT_BOUND : Reason.LEDGER_TIP
  const reason = cut || crossed ? Reason.CURSOR_BOUND : bound
  return { low: isEmpty ? high : later(low, first(node.lowest)), high, descending, reason }
}

function eventsIn(node: Node, { low, high, descending }: Interval): Item<Emitted>[] {
  const events: Item<Emitted>[] = []
  for (const executed of node.executed.values()) {
    const { checkpoint, effects } = executed
    if (checkpoint < low.checkpoint || checkpoint > high.checkpoint) continue
    for (const [index, event] of effects.events.entries()) {
      const at = { checkpoint, index }
      if (compare(at, low) >= 0 && compare(at, high) < 0) events.push({ at, of: { executed, event } })
    }
  }
  return events.sort((a, b) => (descending ? compare(b.at, a.at) : compare(a.at, b.at)))
}

/**
 * Writes a list as frames, with the position to go on from in each.
 *
 * @param entries of the interval, in its order
 * @param message what a frame brings of an item
 */
export function* framesOf<T, M extends object>(
  node: Node,
  interval: Interval,
  entries: readonly Item<T>[],
  limit: number,
  message: (item: Item<T>) => M,
): Generator<Frame | (Frame & M)> {
  const { low, high, descending, reason } = interval
  const entry = descending ? high.checkpoint - (high.index === 0 ? 1n : 0n) : low.checkpoint
  const away = (checkpoint: bigint) => (descending ? entry - checkpoint : checkpoint - entry)
  const budget = node.knobs.scanLimit === 0 ? undefined : BigInt(node.knobs.scanLimit)
  /** So many whole checkpoints were gone through before this one. */
  const coveredBefore = (checkpoint: bigint) => (away(checkpoint) > 0n ? (descending ? checkpoint + 1n : checkpoint - 1n) : undefined)
  const boundary = (checkpoint: bigint): Cursor => ({ kind: 'boundary', ...first(descending ? checkpoint + 1n : checkpoint) })
  let count = 0
  let last = entry
  for (const item of entries) {
    const { at } = item
    if (budget !== undefined && away(at.checkpoint) >= budget) break
    if (away(at.checkpoint) - away(last) > progressEvery) yield frame(boundary(at.checkpoint), coveredBefore(at.checkpoint))
    last = at.checkpoint
    count++
    const end = count === limit ? { end: { reason: Reason.ITEM_LIMIT } } : {}
    yield { ...frame({ kind: 'item', ...at }, coveredBefore(at.checkpoint)), ...message(item), ...end }
    if (count === limit) return
  }
  const whole = descending ? entry - low.checkpoint + 1n : high.checkpoint - entry + (high.index === 0 ? 0n : 1n)
  if (budget !== undefined && budget < whole) {
    const next = descending ? entry - budget : entry + budget
    return yield { ...frame(boundary(next), coveredBefore(next)), end: { reason: Reason.SCAN_LIMIT } }
  }
  const edge: Cursor = { kind: 'boundary', ...(descending ? low : high) }
  const covered = reason === Reason.CURSOR_BOUND ? coveredBefore(edge.checkpoint) : descending ? low.checkpoint : high.checkpoint - 1n
  const isCovered = covered !== undefined && compare(low, high) < 0
  yield { ...frame(edge, isCovered ? covered : undefined), end: { reason } }
}

function frame(cursor: Cursor, checkpoint: bigint | undefined): Frame {
  return { watermark: { cursor: writeCursor(cursor), ...(checkpoint === undefined ? {} : { checkpoint }) } }
}

function eventMessage({ checkpoint, index }: Position, { digest, data }: ExecutedTransaction, event: MoveEvent): GrpcTypes.Event {
  return GrpcTypes.Event.create({
    packageId: event.package,
    module: event.module,
    sender: data.sender,
    eventType: event.type,
    contents: { name: event.type, value: event.contents },
    checkpoint,
    transactionDigest: digest,
    transactionIndex: 0n,
    eventIndex: index,
  })
}

/** Returns the first position of a checkpoint. */
function first(checkpoint: bigint): Position {
  return { checkpoint, index: 0 }
}

function later(a: Position, b: Position): Position {
  return compare(a, b) >= 0 ? a : b
}

function earlier(a: Position, b: Position): Position {
  return compare(a, b) <= 0 ? a : b
}

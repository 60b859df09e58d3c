import { GrpcTypes } from '@mysten/sui/grpc'
import { malformedAnswer, requireSent } from '@svc/contract'
import { upTo } from './answer.ts'
import { MOST_CHECKPOINT } from './service-info.ts'

/** Most frames of a page that bring no item, and only say how far the scan has come. */
const PROGRESS = 10_000

/** Page of a list along the chain. */
export interface Page<T> {
  readonly items: readonly T[]
  /** The last checkpoint of which every item is in this page or one before it; null where the page does not come to the end of any. */
  readonly covered: bigint | null
  /** From where on to go on; null: there are no more. */
  readonly next: Uint8Array | null
}

/** Place from which a page is read. */
interface PageStart {
  /** First checkpoint. */
  readonly from: bigint
  /** `next` of the page before. */
  readonly after: Uint8Array | null
  /** Most items of a page, as nodes have it. */
  readonly most: number
}

/** Frame of a list, as every list along the chain has it. */
type Frame = Pick<GrpcTypes.ListEventsResponse, 'watermark' | 'end'>

const { ITEM_LIMIT, SCAN_LIMIT, CHECKPOINT_BOUND, CURSOR_BOUND, LEDGER_TIP } = GrpcTypes.QueryEndReason
const GOES_ON: ReadonlySet<unknown> = new Set([ITEM_LIMIT, SCAN_LIMIT])
const ENDS: ReadonlySet<unknown> = new Set([CHECKPOINT_BOUND, CURSOR_BOUND, LEDGER_TIP])

/**
 * Reads a page from its frames.
 *
 * @param itemOf the item that a frame brings; undefined where it brings none
 * @throws EndpointError for a page that does not say where it ends, or would end where it began
 */
export async function pageOf<F extends Frame, T>(
  frames: AsyncIterable<F>,
  { from, after, most }: PageStart,
  itemOf: (frame: F) => T | undefined,
): Promise<Page<T>> {
  const items: T[] = []
  let covered: bigint | null = null
  let count = 0
  let ended: F | undefined
  for await (const frame of frames) {
    if (ended !== undefined || ++count > most + PROGRESS) throw malformedAnswer(frame)
    const { checkpoint } = requireSent(frame.watermark)
    if (checkpoint !== undefined) {
      const reached = upTo(MOST_CHECKPOINT, checkpoint)
      if (reached < (covered ?? from)) throw malformedAnswer(frame)
      covered = reached
    }
    const item = itemOf(frame)
    if (item !== undefined) items.push(item)
    if (frame.end !== undefined) ended = frame
  }
  const { reason } = requireSent(ended?.end)
  if (items.length > most || !(GOES_ON.has(reason) || ENDS.has(reason))) throw malformedAnswer(reason)
  if (ENDS.has(reason)) return { items, covered, next: null }
  const next = requireSent(ended?.watermark?.cursor)
  if (next.length === 0 || (after !== null && Buffer.compare(next, after) === 0)) throw malformedAnswer(next)
  return { items, covered, next }
}

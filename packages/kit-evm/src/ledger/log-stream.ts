import { defineMemo, type KitContext } from '@svc/contract'
import type { EvmClient } from '../client.ts'
import { unavailable } from '../codes.ts'
import type { EvmSettings } from '../settings.ts'
import { type LogFilter, type PlacedLog, readLogs } from './logs.ts'
import type { FinalMark } from './mark.ts'

/** Most unread ranges that one look at a book reads: two days of blocks of 0.3 s, by the usual size of a range. */
const MOST_UNREAD = 600
/**
 * Most ranges of one interval, and of whole ranges that are kept: 69 days of blocks of 0.3 s. Where ten thousand wallets are watched, `life.sweeps_per_day` has each read
 * every forty days. A range without logs takes some 200 bytes.
 */
const KEPT_RANGES = 20_000
/** Time after which a book whose logs are still being read is read again, in seconds. */
const RETRY_SECONDS = 60

/** Settings of a protocol whose books rest on logs. */
type LogSettings = EvmSettings & { readonly log_blocks: number }

/** Logs of a contract that the books of a protocol rest on. */
interface StreamedLogs<N> {
  filter(network: N): LogFilter
  /** Makes the test whether a log of the filter is kept: of the operator's own validators, say. */
  kept(network: N): (log: PlacedLog) => boolean
}

/** Whole ranges of a network that were read, or are being read. */
interface KeptLogs {
  /** Logs by the first block of their range. */
  readonly ranges: Map<bigint, Promise<readonly PlacedLog[]>>
  /** Reading of some of the ranges of a long interval; null: none is under way. */
  filling: Promise<unknown> | null
}

/**
 * Makes the reader of a contract's logs, interval by interval. Complete ranges of `log_blocks` blocks are read once for all wallets. Of an interval with many unread ranges,
 * as after a start of the service, each look reads the oldest ones, and the book waits until none is left.
 *
 * The reader returns the logs of the blocks after `after`, up to the block `end`, in their order; null where these are more blocks than logs are kept of. It throws 502, 503,
 * 504, and 503 `LOGS_INCOMPLETE` while ranges of the interval are unread.
 */
export function logStream<N extends LogSettings>({ filter, kept }: StreamedLogs<N>) {
  const memory = defineMemo<KeptLogs>()
  return async (
    ctx: KitContext<EvmClient, N> & { readonly memo: object },
    after: bigint,
    end: FinalMark,
  ): Promise<readonly PlacedLog[] | null> => {
    const size = BigInt(ctx.network.log_blocks)
    const first = (after + 1n) / size
    const last = end.height / size
    if (last - first >= KEPT_RANGES) return null
    const cache = memory.get(ctx) ?? { ranges: new Map(), filling: null }
    memory.set(ctx, cache)
    const starts = Array.from({ length: Number(last - first) + 1 }, (_, index) => (first + BigInt(index)) * size)
    const unread = starts.filter((from) => !cache.ranges.has(from))
    if (unread.length > MOST_UNREAD)
      cache.filling ??= Promise.all(read(unread.slice(0, MOST_UNREAD)).values()).finally(() => {
        cache.filling = null
      })
    // Of all books that wait one has ranges read, so that the endpoint is not asked for thousands at once.
    if (cache.filling !== null && unread.length > 0) {
      await cache.filling
      throw incomplete(starts.length, starts.filter((from) => !cache.ranges.has(from)).length)
    }
    const fresh = read(unread)
    const lists = await Promise.all(starts.map((from) => fresh.get(from) ?? cache.ranges.get(from) ?? []))
    return lists.flat().filter(({ block }) => block > after && block <= end.height)

    /** Reads ranges, and keeps the whole ones. */
    function read(froms: readonly bigint[]): ReadonlyMap<bigint, Promise<readonly PlacedLog[]>> {
      if (froms.length === 0) return new Map()
      const isKept = kept(ctx.network)
      const isWhole = (from: bigint) => from + size - 1n <= end.height
      const spans = froms.map((from) => ({ from, to: isWhole(from) ? from + size - 1n : end.height }))
      const answers = readLogs(ctx, filter(ctx.network), spans, end)
      return new Map(
        spans.map(({ from }, index) => {
          const logs = answers.then((list) => (list[index] ?? []).filter(isKept))
          if (isWhole(from)) keep(cache.ranges, from, logs)
          return [from, logs]
        }),
      )
    }
  }
}

/** Keeps the logs of a range, unless their reading fails, and of all ranges the newest ones. */
function keep(ranges: KeptLogs['ranges'], from: bigint, logs: Promise<readonly PlacedLog[]>): void {
  ranges.set(from, logs)
  logs.catch(() => ranges.delete(from))
  for (const oldest of ranges.keys()) {
    if (ranges.size <= KEPT_RANGES) break
    ranges.delete(oldest)
  }
}

function incomplete(all: number, unread: number) {
  return unavailable(
    'LOGS_INCOMPLETE',
    `The events of this book's time are being read from the chain: ${all - unread} of ${all} ranges of blocks are done. It is read again in ${RETRY_SECONDS} seconds.`,
    RETRY_SECONDS,
  )
}

import { defineMemo, type KitContext } from '@svc/contract'
import type { EvmClient } from '../client.ts'
import type { EvmSettings } from '../settings.ts'
import { type LogFilter, type PlacedLog, readLogs } from './logs.ts'
import type { FinalMark } from './mark.ts'

/** Ranges of logs that one interval may take: two days of blocks of 0.3 s, by the usual size of a range. */
const MOST_RANGES = 600n
/** Whole ranges that are kept: a day of all wallets is then read once, and two days are. */
const KEPT_RANGES = 600

/** Settings of a protocol whose books rest on logs. */
type LogSettings = EvmSettings & { readonly log_blocks: number }

/** Logs of a contract that the books of a protocol rest on. */
interface StreamedLogs<N> {
  filter(network: N): LogFilter
  /** Makes the test whether a log of the filter is kept: of the operator's own validators, say. */
  kept(network: N): (log: PlacedLog) => boolean
}

/**
 * Makes the reader of a contract's logs, interval by interval. Complete ranges of `log_blocks` blocks are read once for all wallets.
 *
 * The reader returns the logs of the blocks after `after`, up to the block `end`, in their order; null where that is more than is looked through for one interval. It
 * throws 502, 503, 504.
 */
export function logStream<N extends LogSettings>({ filter, kept }: StreamedLogs<N>) {
  /** Logs by the first block of a whole range. */
  const ranges = defineMemo<Map<bigint, Promise<readonly PlacedLog[]>>>()
  return async (
    ctx: KitContext<EvmClient, N> & { readonly memo: object },
    after: bigint,
    end: FinalMark,
  ): Promise<readonly PlacedLog[] | null> => {
    const size = BigInt(ctx.network.log_blocks)
    const first = (after + 1n) / size
    const last = end.height / size
    if (last - first >= MOST_RANGES) return null
    const starts = Array.from({ length: Number(last - first) + 1 }, (_, index) => (first + BigInt(index)) * size)
    const memory = ranges.get(ctx) ?? new Map<bigint, Promise<readonly PlacedLog[]>>()
    ranges.set(ctx, memory)
    const unread = starts
      .filter((from) => !memory.has(from))
      .map((from) => ({ from, to: from + size - 1n < end.height ? from + size - 1n : end.height }))
    const answers = unread.length === 0 ? Promise.resolve([]) : readLogs(ctx, filter(ctx.network), unread, end)
    const isKept = kept(ctx.network)
    const fresh = new Map(unread.map(({ from }, index) => [from, answers.then((lists) => (lists[index] ?? []).filter(isKept))]))
    for (const { from, to } of unread) if (to < end.height) remember(memory, from, fresh.get(from))
    const lists = await Promise.all(starts.map((from) => fresh.get(from) ?? memory.get(from) ?? []))
    return lists.flat().filter(({ block }) => block > after && block <= end.height)
  }
}

/** Keeps what is being read until it has failed, and the newest ones alone. */
function remember(
  memory: Map<bigint, Promise<readonly PlacedLog[]>>,
  from: bigint,
  logs: Promise<readonly PlacedLog[]> = Promise.resolve([]),
): void {
  memory.set(from, logs)
  logs.catch(() => memory.delete(from))
  for (const oldest of memory.keys()) if (memory.size > KEPT_RANGES) memory.delete(oldest)
}

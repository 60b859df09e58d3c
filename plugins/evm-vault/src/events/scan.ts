import { type Deadline, isServiceError, setDeadline } from '@svc/contract'
import { unavailable } from '../codes.ts'
import type { VaultContext } from '../network.ts'
import { addBlocks, type EventIndex, REORG_BLOCKS } from './event-index.ts'
import { isTooLarge, readLogs, type VaultLog } from './logs.ts'
import { storeEvents } from './stored-events.ts'

/** Blocks, the last one included. */
interface BlockRange {
  readonly from: number
  readonly to: number
}

/** A range that could not be read. */
interface FailedRange extends BlockRange {
  readonly error: unknown
}

/** Fewest blocks to which a call for logs is cut down when an endpoint finds it too large; some hosts give no more. @see https://www.alchemy.com/docs/reference/eth-getlogs (free tier, read 2026-11-24) */
const MIN_BLOCKS_PER_CALL = 10
/** Most calls at once. */
const MAX_CALLS_AT_ONCE = 32
/** Milliseconds below which twice as many calls are made at once, and above which half as many: others wait behind them. */
const QUICK_MS = 500
const SLOW_MS = 2000
/** Most that a caller is told to wait, in seconds; and what he is told before the speed is known. */
const MAX_RETRY_SECONDS = 60
const FIRST_RETRY_SECONDS = 10

/**
 * Reads the blocks up to one that cannot be replaced any more. Each finished range is kept, whatever becomes of the others; a scan that is under way is shared, and goes on
 * after this call gave up waiting for it.
 *
 * @param waitMs longest wait, in milliseconds
 * @throws 503 EXITS_INCOMPLETE, with how far it is; what the endpoints' failover throws: the next call goes on from there
 */
export async function scanTo(ctx: VaultContext, index: EventIndex, target: number, waitMs: number): Promise<void> {
  const until = performance.now() + waitMs
  while (index.nextBlock <= target) {
    index.scanning ??= startScan(ctx, index, target)
    if (!(await endsWithin(index.scanning, until - performance.now()))) throw incomplete(index, target)
  }
}

/**
 * Reads the newest blocks, which may still be replaced.
 *
 * @param latest being read: where the endpoints take `latest` for a bound, the call travels with it
 */
export async function readNewest(
  ctx: VaultContext,
  index: EventIndex,
  from: number,
  latest: Promise<{ readonly number: number }>,
): Promise<readonly VaultLog[]> {
  if (!index.namesHead)
    try {
      return await readLogs(ctx, from, 'latest')
    } catch (error) {
      if (!isTooLarge(error)) throw error
      index.namesHead = true
    }
  const { number: head } = await latest
  const size = index.blocksPerCall
  const starts = Array.from({ length: Math.max(0, Math.ceil((head - from + 1) / size)) }, (_, at) => from + at * size)
  try {
    return (await Promise.all(starts.map((start) => readLogs(ctx, start, Math.min(start + size - 1, head))))).flat()
  } catch (error) {
    if (!isTooLarge(error) || size <= MIN_BLOCKS_PER_CALL) throw error
    index.blocksPerCall = Math.max(MIN_BLOCKS_PER_CALL, Math.ceil(size / 2))
    return readNewest(ctx, index, from, latest)
  }
}

function startScan(ctx: VaultContext, index: EventIndex, target: number): Promise<void> {
  const scanning = scan(ctx, index, target).finally(() => {
    index.scanning = null
    index.blocksPerSecond = null
    void storeEvents(ctx, index, true)
  })
  // It may outlive every request that waits for it.
  scanning.catch((error: unknown) => {
    ctx.log.warn({ err: error, network: ctx.network.chainId, next: index.nextBlock, target }, 'the vault’s events could not all be read')
  })
  return scanning
}

/** In rounds, so that the calls of one travel together. */
async function scan(ctx: VaultContext, index: EventIndex, target: number): Promise<void> {
  const began = { at: performance.now(), missing: missingBlocks(index, target) }
  // No further than the latest block that was seen: another node may have named a higher one.
  const next = () => nextRanges(index, Math.min(target, (index.latest?.number ?? target) - REORG_BLOCKS))
  for (let ranges = next(); ranges.length > 0; ranges = next()) {
    const startedMs = performance.now()
    const results = await Promise.all(ranges.map((range) => readRange(ctx, range)))
    const failures: FailedRange[] = []
    for (const result of results) {
      if ('error' in result) failures.push(result)
      else index.readAhead.set(result.from, result)
    }
    addReadAhead(index)
    void storeEvents(ctx, index)
    const now = performance.now()
    index.blocksPerSecond = ((began.missing - missingBlocks(index, target)) * 1000) / Math.max(1, now - began.at)
    if (failures.length > 0) {
      askForLess(index, failures)
      continue
    }
    if (now - startedMs < QUICK_MS) index.callsAtOnce = Math.min(MAX_CALLS_AT_ONCE, index.callsAtOnce * 2)
    if (now - startedMs > SLOW_MS) index.callsAtOnce = Math.max(1, index.callsAtOnce >> 1)
  }
}

async function readRange(ctx: VaultContext, range: BlockRange) {
  try {
    return { ...range, logs: await readLogs(ctx, range.from, range.to) }
  } catch (error) {
    return { ...range, error }
  }
}

/** Asks for less at once where that may help. @throws a failure where it cannot */
function askForLess(index: EventIndex, failures: readonly FailedRange[]): void {
  const isSlow = ({ error }: FailedRange) => isServiceError(error) && error.statusCode === 504
  const final = failures.find((each) => !isSlow(each) && !isTooLarge(each.error))
  if (final) throw final.error
  const large = failures.filter((each) => !isSlow(each) || index.callsAtOnce === 1)
  for (const { error, from, to } of large) {
    const blocks = to - from + 1
    if (blocks <= MIN_BLOCKS_PER_CALL) throw error
    index.blocksPerCall = Math.min(index.blocksPerCall, Math.max(MIN_BLOCKS_PER_CALL, Math.ceil(blocks / 2)))
  }
  if (large.length === 0) index.callsAtOnce >>= 1
}

/** The first ranges that were not read, as many as are asked for at once. */
function nextRanges({ nextBlock, readAhead, blocksPerCall, callsAtOnce }: EventIndex, target: number): readonly BlockRange[] {
  const ranges: BlockRange[] = []
  const starts = [...readAhead.keys()].sort((a, b) => a - b)
  for (let from = nextBlock; from <= target && ranges.length < callsAtOnce; ) {
    const done = readAhead.get(from)
    const end = starts.find((start) => start > from) ?? Number.POSITIVE_INFINITY
    const to = done?.to ?? Math.min(from + blocksPerCall - 1, target, end - 1)
    if (!done) ranges.push({ from, to })
    from = to + 1
  }
  return ranges
}

/** Moves the index on over the ranges that follow it. */
function addReadAhead(index: EventIndex): void {
  for (let range = index.readAhead.get(index.nextBlock); range; range = index.readAhead.get(index.nextBlock)) {
    index.readAhead.delete(index.nextBlock)
    addBlocks(index, range.logs, range.to)
  }
}

function missingBlocks({ nextBlock, readAhead }: EventIndex, target: number): number {
  return [...readAhead].reduce((missing, [from, { to }]) => missing - (to - from + 1), target - nextBlock + 1)
}

function incomplete(index: EventIndex, target: number) {
  const [all, missing] = [target - index.firstBlock + 1, missingBlocks(index, target)]
  const left = index.blocksPerSecond ? Math.ceil(missing / index.blocksPerSecond) : FIRST_RETRY_SECONDS
  const seconds = Math.min(MAX_RETRY_SECONDS, Math.max(1, left))
  return unavailable(
    'EXITS_INCOMPLETE',
    `The vault's exits are being read from the chain: ${all - missing} of ${all} blocks are done. Try again in ${seconds} seconds; the reading goes on.`,
    seconds,
  )
}

/** @returns false when the time is over first @throws what the work ends in */
async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  let deadline: Deadline | undefined
  const late = new Promise<false>((resolve) => {
    deadline = setDeadline(Math.max(0, ms), () => resolve(false))
  })
  return Promise.race([work.then(() => true), late]).finally(() => deadline?.clear())
}

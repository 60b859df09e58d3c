import { defineMemo, nodeBehind } from '@svc/contract'
import { type Block, readBlock } from '../chain/blocks.ts'
import { type Checkpoint, checkpointsOf } from '../chain/exit-queue.ts'
import type { VaultContext } from '../network.ts'
import { addBlocks, type EventIndex, eventIndexOf, noteLatest, REORG_BLOCKS } from './event-index.ts'
import { isTooLarge, type VaultEvent, type VaultLog } from './logs.ts'
import { withoutClaimed } from './open-exits.ts'
import { readNewest, scanTo } from './scan.ts'
import { restoreEvents, storeEvents } from './stored-events.ts'

/** An exit that was not claimed in full. */
export interface OpenExit {
  readonly ticket: bigint
  /** Seconds since 1970: time of the block of its request, which is part of its key in the vault. */
  readonly timestamp: number
  /** Tickets of the exit that are not claimed yet; without meaning for an exit of version 2. */
  readonly tickets: bigint
  /** True if the exit was requested while the vault had version 2, in which tickets had another unit. */
  readonly isVersion2: boolean
  /** Wei that an exit of version 2 was worth when it was requested, less what was paid; null for others, and where the subgraph lists it. */
  readonly fixedAssets: bigint | null
}

/** An exit as the vault's own events list it. */
interface ListedExit extends OpenExit {
  /** Ticket of its request, which it keeps when it is claimed in part and the rest gets another one. */
  readonly first: bigint
}

/** The exits of one address, and the whole queue's checkpoints, as the vault's own events tell them. */
interface ExitEvents {
  readonly exits: readonly ListedExit[]
  readonly checkpoints: readonly Checkpoint[]
}

/** Blocks whose times are asked for at once. */
const BLOCKS_AT_ONCE = 100
/** Seconds since 1970, by block. */
const blockTimes = defineMemo<Map<number, number>>()

/**
 * Reads the exits of an address that were not claimed in full, and the checkpoints of the queue. All of the vault's exit events are read once and kept; after that a call
 * asks only for the latest blocks, in one round trip.
 *
 * @param latest the latest block, being read; read in the same round trip
 * @param waitMs longest wait for the first reading, in milliseconds
 * @throws 503 EXITS_INCOMPLETE while that goes on; 502 when the endpoints serve no logs
 */
export async function readExitEvents(
  ctx: VaultContext,
  address: string,
  latest: Promise<Block>,
  waitMs = ctx.network.exits_wait_ms,
): Promise<ExitEvents> {
  return exitEventsOf(ctx, await readEvents(ctx, latest, waitMs), address)
}

/**
 * Reads the vault's events once, and returns a function that lists the exits of an address, and the queue's checkpoints, as they were after a block.
 *
 * @param latest the latest block, being read; read in the same round trip
 * @throws as `readExitEvents`; the function throws 503 UPSTREAM_BEHIND for a block before the last of which only what was open then is known
 */
export async function readExitsAt(
  ctx: VaultContext,
  latest: Promise<Block>,
): Promise<(address: string, height: bigint) => Promise<ExitEvents>> {
  const events = await readEvents(ctx, latest, ctx.network.exits_wait_ms)
  const { restoredNextBlock } = eventIndexOf(ctx)
  return async (address, height) => {
    if (height + 1n < BigInt(restoredNextBlock)) throw nodeBehind(`its last final block is ${height}`).refusal
    const before = events.filter(({ block }) => BigInt(block) <= height)
    return exitEventsOf(ctx, before, address)
  }
}

async function exitEventsOf(ctx: VaultContext, events: readonly VaultEvent[], address: string): Promise<ExitEvents> {
  const requests = openRequests(events, address.toLowerCase())
  const exits: ListedExit[] = []
  for (let at = 0; at < requests.length; at += BLOCKS_AT_ONCE) {
    const part = requests.slice(at, at + BLOCKS_AT_ONCE).map(async ({ block, timestamp, ...exit }) => {
      return { ...exit, timestamp: timestamp ?? (await timeOf(ctx, block)) }
    })
    exits.push(...(await Promise.all(part)))
  }
  return { exits, checkpoints: checkpointsOf(events.filter((event) => event.kind === 'checkpoint')) }
}

/** Part of an open exit that the events alone tell. */
export type OpenTicket = Pick<OpenExit, 'ticket' | 'tickets' | 'fixedAssets'>

/**
 * Reads the vault's events once, and returns a function that lists the exits of any address.
 *
 * @param latest the latest block, being read; read in the same round trip
 * @throws as `readExitEvents`
 */
export async function readOpenTickets(ctx: VaultContext, latest: Promise<Block>): Promise<(address: string) => readonly OpenTicket[]> {
  const byReceiver = new Map<string, OpenTicket[]>()
  for (const event of withoutClaimed(await readEvents(ctx, latest, ctx.network.exits_wait_ms))) {
    if (event.kind !== 'request') continue
    const own = byReceiver.get(event.receiver)
    if (own) own.push(event)
    else byReceiver.set(event.receiver, [event])
  }
  return (address) => byReceiver.get(address.toLowerCase()) ?? []
}

type OpenRequest = Omit<ListedExit, 'timestamp'> & { readonly block: number; readonly timestamp: number | null }

function openRequests(events: readonly VaultEvent[], receiver: string): readonly OpenRequest[] {
  const own = events.filter((event) => event.kind !== 'checkpoint' && event.receiver === receiver)
  return withoutClaimed(own).flatMap((event) => {
    if (event.kind !== 'request') return []
    const { ticket, first, tickets, fixedAssets, block, timestamp } = event
    return [{ ticket, first, tickets, isVersion2: fixedAssets !== null, fixedAssets, block, timestamp }]
  })
}

/** All events of the vault, up to the latest block. */
async function readEvents(ctx: VaultContext, latest: Promise<Block>, waitMs: number): Promise<readonly VaultEvent[]> {
  // Where logs fail first, nobody waits for it.
  latest.catch(() => undefined)
  const index = eventIndexOf(ctx)
  // At first there may be years to read, in calls whose bounds follow from the latest block; later the rest is one call.
  const isNear = index.latest !== null && index.latest.number - index.nextBlock < index.blocksPerCall && index.scanning === null
  const from = index.nextBlock
  const rest = isNear ? readNewest(ctx, index, from, latest) : null
  rest?.catch(() => undefined)
  const now = await latest
  if (index.latest === null) {
    index.restoring ??= restoreEvents(ctx, index, now.number)
    await index.restoring
  }
  noteLatest(ctx, index, now)
  const target = now.number - REORG_BLOCKS
  if (rest && index.nextBlock >= from)
    try {
      const logs = await rest
      if (index.nextBlock >= from) addBlocks(index, logs, target)
      void storeEvents(ctx, index)
      return withLatest(index, logs)
    } catch (error) {
      if (!isTooLarge(error)) throw error
    }
  const recent = readNewest(ctx, index, Math.max(index.firstBlock, target + 1), latest)
  recent.catch(() => undefined)
  await scanTo(ctx, index, target, waitMs)
  const logs = await recent
  // What was read was taken back meanwhile.
  return index.nextBlock > target ? withLatest(index, logs) : readEvents(ctx, latest, waitMs)
}

/** Returns the events of the index, and those that came after it. Both in one turn: another request may move the index on. */
function withLatest(index: EventIndex, logs: readonly VaultLog[]): readonly VaultEvent[] {
  return [...index.events, ...logs.filter(({ block }) => block >= index.nextBlock).map(({ event }) => event)]
}

/** Time of a block, for nodes whose logs lack it; kept once the block cannot be replaced any more. */
async function timeOf(ctx: VaultContext, block: number): Promise<number> {
  const times = blockTimes.get(ctx) ?? new Map<number, number>()
  blockTimes.set(ctx, times)
  const earlier = times.get(block)
  if (earlier !== undefined) return earlier
  const { timestamp } = await readBlock(ctx, block)
  if (block < eventIndexOf(ctx).nextBlock) times.set(block, timestamp)
  return timestamp
}

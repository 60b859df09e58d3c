import { defineMemo } from '@svc/contract'
import type { Block } from '../chain/blocks.ts'
import { deploymentOf, type VaultContext } from '../network.ts'
import type { VaultEvent, VaultLog } from './logs.ts'

/** The vault's exit events in blocks that cannot be replaced any more, kept between calls. */
export interface EventIndex {
  /** First block that was not read; the events of those before it cannot change. */
  nextBlock: number
  /** Block at which the reading began. */
  readonly firstBlock: number
  /** Like `nextBlock`, of what comes from the database, which has nothing of exits that were claimed by then. */
  restoredNextBlock: number
  /** Latest block of the chain that was seen. */
  latest: Block | null
  readonly events: VaultEvent[]
  /** `nextBlock`, and the number of events, before each of the last additions, oldest first: so that they can be taken back. */
  readonly undo: { readonly nextBlock: number; readonly events: number }[]
  /** Ranges that were read before those in front of them, by their first block. */
  readonly readAhead: Map<number, ReadRange>
  /** The scan under way, which all requests share. */
  scanning: Promise<void> | null
  /** Speed of that scan; null before its first answer. */
  blocksPerSecond: number | null
  /** Most blocks that are asked for in a call. */
  blocksPerCall: number
  /**
   * True if a call for the newest blocks has to name the head's number: a geth with a limit of the range takes `latest` for the largest number there is, and
   * refuses any such call.
   */
  namesHead: boolean
  /** Calls that are made at once. */
  callsAtOnce: number
  /** When the reading began, in milliseconds since 1970. */
  startedAt: number
  /** Like `nextBlock`, of what is stored in the database. */
  storedNextBlock: number
  /** When that was, in milliseconds of a clock that never runs backwards. */
  storedAt: number
  /** The storing under way. */
  storing: Promise<void> | null
  /** Fetch of what an earlier process stored; null before anybody asked. */
  restoring: Promise<void> | null
}

/** A range of blocks that was read. */
interface ReadRange {
  readonly to: number
  readonly logs: readonly VaultLog[]
}

/** Blocks behind the latest that a reorganisation may still replace: two epochs. @see https://ethereum.org/developers/docs/consensus-mechanisms/pos (finality, read 2026-11-21) */
export const REORG_BLOCKS = 64
/** Additions that can be taken back. */
const MAX_UNDO = 16
/** Calls that a scan makes at once, to begin with. */
const FIRST_CALLS_AT_ONCE = 4

const indexes = defineMemo<EventIndex>()

/** Returns the index of a network and its settings; empty at first. */
export function eventIndexOf(ctx: VaultContext): EventIndex {
  const earlier = indexes.get(ctx)
  const firstBlock = deploymentOf(ctx.network).first_block
  const index = earlier ?? {
    firstBlock,
    nextBlock: firstBlock,
    restoredNextBlock: firstBlock,
    latest: null,
    events: [],
    undo: [],
    readAhead: new Map(),
    scanning: null,
    blocksPerSecond: null,
    blocksPerCall: ctx.network.log_blocks,
    namesHead: false,
    callsAtOnce: FIRST_CALLS_AT_ONCE,
    startedAt: ctx.now().getTime(),
    storedNextBlock: firstBlock,
    storedAt: performance.now(),
    storing: null,
    restoring: null,
  }
  indexes.set(ctx, index)
  return index
}

/** Adds the logs read from `index.nextBlock` up to a block that cannot be replaced any more. */
export function addBlocks(index: EventIndex, logs: readonly VaultLog[], upTo: number): void {
  // Another request may have moved it on meanwhile.
  if (upTo < index.nextBlock) return
  index.undo.push({ nextBlock: index.nextBlock, events: index.events.length })
  if (index.undo.length > MAX_UNDO) index.undo.shift()
  index.events.push(...logs.filter(({ block }) => block >= index.nextBlock && block <= upTo).map(({ event }) => event))
  index.nextBlock = upTo + 1
}

/**
 * Records the latest block. Where the index is beyond it, a node named a block that the chain does not have, or the chain is another one now: the events read beyond it are
 * then removed.
 */
export function noteLatest(ctx: VaultContext, index: EventIndex, latest: Block): void {
  index.latest = latest
  if (latest.number + 1 >= index.nextBlock) return
  ctx.log.warn(
    { network: ctx.network.chainId, head: latest.number, next: index.nextBlock },
    'the chain is shorter than what was read of it',
  )
  index.readAhead.clear()
  while (index.nextBlock > latest.number + 1) {
    const { nextBlock, events } = index.undo.pop() ?? { nextBlock: index.firstBlock, events: 0 }
    index.nextBlock = nextBlock
    index.events.length = events
    if (nextBlock === index.firstBlock) break
  }
  index.storedNextBlock = Math.min(index.storedNextBlock, index.nextBlock)
}

import { badGateway, isServiceError } from '@svc/contract'
import { vaultAbi } from './abi.ts'
import { type Head, quantity, readBlock } from './head.ts'
import { chainOf, type VaultContext } from './network.ts'
import { type Checkpoint, checkpointsOf } from './queue.ts'

/** A live exit. */
export interface Exit {
  readonly ticket: bigint
  /** Seconds since 1970: time of the block of its request, which is part of its key in the vault. */
  readonly timestamp: number
  /** Tickets that it still has, claimed ones aside. */
  readonly tickets: bigint
  /** Requested while the vault had version 2, in which tickets had another unit. */
  readonly isOld: boolean
}

/** The exit queue as the vault's own events tell it. */
export interface ExitEvents {
  readonly exits: readonly Exit[]
  readonly checkpoints: readonly Checkpoint[]
}

/** What is kept of an event. */
type Event =
  | {
      readonly kind: 'request'
      readonly receiver: string
      readonly ticket: bigint
      readonly tickets: bigint
      readonly isOld: boolean
      readonly block: number
      readonly timestamp: number | null
    }
  | { readonly kind: 'claim'; readonly receiver: string; readonly from: bigint; readonly to: bigint }
  | { readonly kind: 'checkpoint'; readonly burned: bigint; readonly assets: bigint }

/** The events that cannot change any more, kept between calls: blocks up to `next` were read. */
interface Index {
  next: number
  /** Latest block that was seen. */
  head: number | null
  readonly events: Event[]
}

/** Blocks behind the head that a reorganisation may still replace: two epochs. @see https://ethereum.org/developers/docs/consensus-mechanisms/pos (finality, read 2026-11-21) */
const UNSETTLED = 64
/** Fewest blocks to which a call for logs is cut down when an endpoint finds it too large. */
const LEAST_BLOCKS = 100
/** What endpoints say of a call for more logs than they serve at once. */
const TOO_MUCH = /range|too (many|large|wide)|more than|response size|limited to|blocks? (limit|distance)|query (returned|timeout)/i
const TOPICS = ['ExitQueueEntered', 'V2ExitQueueEntered', 'ExitedAssetsClaimed', 'CheckpointCreated'].map(
  (name) => vaultAbi.getEvent(name)!.topicHash,
)

/**
 * The exits of an address that were not claimed in full, and the checkpoints of the queue. All of the vault's exit events are read once and
 * kept; after that a call asks only for the latest blocks, in one round trip.
 *
 * @param head the latest block, being read; only waited for when there is much to catch up on
 * @throws 502 when the endpoints serve no logs
 */
export async function readExitEvents(ctx: VaultContext, address: string, head: Promise<Head>): Promise<ExitEvents> {
  const { settled, latest } = await readEvents(ctx, head)
  const events = [...settled, ...latest]
  const live = new Map<bigint, Omit<Exit, 'timestamp'> & { readonly block: number; readonly timestamp: number | null }>()
  for (const event of events) {
    if (event.kind === 'checkpoint' || event.receiver !== address.toLowerCase()) continue
    if (event.kind === 'request') live.set(event.ticket, event)
    else {
      const before = live.get(event.from)
      live.delete(event.from)
      if (before && event.to !== 0n) live.set(event.to, { ...before, ticket: event.to, tickets: before.tickets - (event.to - event.from) })
    }
  }
  const exits = await Promise.all(
    [...live.values()].map(async ({ ticket, tickets, isOld, block, timestamp }) => ({
      ticket,
      tickets,
      isOld,
      timestamp: timestamp ?? (await timeOf(ctx, block)),
    })),
  )
  return { exits, checkpoints: checkpointsOf(events.filter((event) => event.kind === 'checkpoint')) }
}

async function readEvents(ctx: VaultContext, head: Promise<Head>): Promise<{ settled: readonly Event[]; latest: readonly Event[] }> {
  // Where logs fail first, nobody waits for it.
  head.catch(() => undefined)
  const index = indexOf(ctx)
  const from = index.next
  const settled = [...index.events]
  // At first there may be years to read, in calls whose bounds follow from the head; later the rest is one call.
  const isFar = index.head === null || index.head - from >= ctx.network.log_blocks
  const logs = isFar
    ? await scan(ctx, from, (await head).number)
    : await readLogs(ctx, from, 'latest').catch(async (error) => {
        if (!isTooMuch(error)) throw error
        return scan(ctx, from, (await head).number)
      })
  index.head = (await head).number
  const upTo = index.head - UNSETTLED
  // Another request may have moved the index on meanwhile.
  if (index.next === from && upTo >= from) {
    index.events.push(...logs.filter(({ block }) => block <= upTo).map(({ event }) => event))
    index.next = upTo + 1
  }
  return { settled, latest: logs.map(({ event }) => event) }
}

function indexOf(ctx: VaultContext): Index {
  const known = ctx.memo.get('exits') as Index | undefined
  const index = known ?? { next: chainOf(ctx.network).first_block, head: null, events: [] }
  ctx.memo.set('exits', index)
  return index
}

interface Log {
  readonly block: number
  readonly place: number
  readonly event: Event
}

async function scan(ctx: VaultContext, from: number, to: number): Promise<readonly Log[]> {
  const most = (ctx.memo.get('log blocks') as number | undefined) ?? ctx.network.log_blocks
  const starts = Array.from({ length: Math.max(0, Math.ceil((to - from + 1) / most)) }, (_, part) => from + part * most)
  const parts = await Promise.all(starts.map((start) => readRange(ctx, start, Math.min(start + most - 1, to))))
  return parts.flat()
}

/** A range in halves where an endpoint finds it too large, and from then on no larger ones. */
async function readRange(ctx: VaultContext, from: number, to: number): Promise<readonly Log[]> {
  try {
    return await readLogs(ctx, from, to)
  } catch (error) {
    const half = Math.ceil((to - from + 1) / 2)
    if (half < LEAST_BLOCKS || !isTooMuch(error)) throw error
    ctx.memo.set('log blocks', Math.min(half, (ctx.memo.get('log blocks') as number | undefined) ?? half))
    const halves = await Promise.all([readRange(ctx, from, from + half - 1), readRange(ctx, from + half, to)])
    return halves.flat()
  }
}

async function readLogs({ client, network }: VaultContext, from: number, to: number | 'latest'): Promise<readonly Log[]> {
  const bound = (block: number | 'latest') => (block === 'latest' ? block : `0x${block.toString(16)}`)
  const filter = { address: network.vault, topics: [TOPICS], fromBlock: bound(from), toBlock: bound(to) }
  const answer: unknown = await client.send('eth_getLogs', [filter])
  try {
    return (answer as readonly unknown[]).map(readLog).sort((a, b) => a.block - b.block || a.place - b.place)
  } catch (error) {
    throw badGateway('UPSTREAM_ERROR', "The chain's node gave an answer to eth_getLogs that is none; try again.", error)
  }
}

function readLog(value: unknown): Log {
  const { blockNumber, logIndex, blockTimestamp, topics, data } = value as Readonly<Record<string, unknown>>
  const [block, place, time] = [quantity(blockNumber), quantity(logIndex), quantity(blockTimestamp)]
  const parsed = vaultAbi.parseLog({ topics: topics as string[], data: data as string })
  if (!parsed || Number.isNaN(block + place)) throw new TypeError('a log of another form')
  const { args } = parsed
  switch (parsed.name) {
    case 'CheckpointCreated':
      return { block, place, event: { kind: 'checkpoint', burned: args.shares, assets: args.assets } }
    case 'ExitedAssetsClaimed':
      return {
        block,
        place,
        event: { kind: 'claim', receiver: args.receiver.toLowerCase(), from: args.prevPositionTicket, to: args.newPositionTicket },
      }
    default:
      return {
        block,
        place,
        event: {
          kind: 'request',
          receiver: args.receiver.toLowerCase(),
          ticket: args.positionTicket,
          tickets: args.shares,
          isOld: parsed.name === 'V2ExitQueueEntered',
          block,
          timestamp: Number.isNaN(time) ? null : time,
        },
      }
  }
}

/** Time of a block, for nodes whose logs lack it; kept once the block cannot be replaced any more. */
async function timeOf(ctx: VaultContext, block: number): Promise<number> {
  const name = `time of block ${block}`
  const known = ctx.memo.get(name) as number | undefined
  if (known !== undefined) return known
  const { timestamp } = await readBlock(ctx, block)
  if (block < indexOf(ctx).next) ctx.memo.set(name, timestamp)
  return timestamp
}

/** Whether an endpoint refused a call for logs because of its size. */
function isTooMuch(error: unknown): boolean {
  if (!isServiceError(error)) return false
  const answer = error.cause as { readonly error?: { readonly message?: unknown } } | undefined
  return typeof answer?.error?.message === 'string' && TOO_MUCH.test(answer.error.message)
}

import { readBlock } from '../chain/blocks.ts'
import { membersOf } from '../json.ts'
import type { VaultContext } from '../network.ts'
import type { EventIndex } from './event-index.ts'
import type { VaultEvent } from './logs.ts'
import { withoutClaimed } from './open-exits.ts'

/** Form of what is stored; another one is left out. */
const FORM = 2
const KEY = 'exits'
/** Most characters of a part, below what the host keeps under one key with room for what stands around it. */
const MAX_PART_CHARACTERS = 50_000
/** Most parts, below the keys that a network has: some fifteen thousand open exits, which strangers can make as well, for some 100,000 gas each. */
const MAX_PARTS = 28
/** Longest time that a reading is continued, in milliseconds, before the chain is read anew: what a node left out once is not left out for ever. */
const MAX_AGE_MS = 30 * 86_400_000
/** Blocks, and milliseconds, after which it is stored again. */
const STORE_BLOCKS = 2_000
const STORE_MS = 10_000

/** Header that is stored under the key itself; the events follow in parts, under keys of their own. */
interface Header {
  readonly form: typeof FORM
  /** First block that was not read. */
  readonly next: number
  /** Hash of the last block that was read: another chain, as a sandbox that began anew, has another. */
  readonly hash: string
  /** When the reading began, in milliseconds since 1970. */
  readonly readAt: number
  readonly parts: number
}

/**
 * Takes over the events that an earlier process, or another replica, has read, as far as their last block is still part of the chain.
 *
 * @param latest number of the latest block
 */
export async function restoreEvents(ctx: VaultContext, index: EventIndex, latest: number): Promise<void> {
  const header = headerOf(await ctx.store.get(KEY))
  const isFit = header !== null && header.next > index.nextBlock && header.next <= latest + 1
  if (!isFit || ctx.now().getTime() - header.readAt > MAX_AGE_MS) return
  try {
    const [last, ...stored] = await Promise.all([
      readBlock(ctx, header.next - 1),
      ...Array.from({ length: header.parts }, (_, part) => ctx.store.get(`${KEY} ${part}`)),
    ])
    const parts = stored.map((part) => eventsOf(part, header.next)).filter((part) => part !== null)
    // Two replicas that store at once may leave parts of both.
    if (last.hash !== header.hash || parts.length !== stored.length) return
    const { next } = header
    Object.assign(index, { nextBlock: next, storedNextBlock: next, restoredNextBlock: next, startedAt: header.readAt })
    index.events.push(...parts.flat())
  } catch (error) {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, 'what was kept of the vault’s events is left out')
  }
}

/** Stores the events that were read, when there are many more than are stored; one write after the other. @param force as soon as it is more */
export async function storeEvents(ctx: VaultContext, index: EventIndex, force = false): Promise<void> {
  if (force) await index.storing
  const isDue = index.nextBlock - index.storedNextBlock >= STORE_BLOCKS && performance.now() - index.storedAt >= STORE_MS
  if (index.storing || index.nextBlock <= index.storedNextBlock || !(force || isDue)) return
  index.storing = write(ctx, index).catch((error: unknown) => {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, 'what was read of the vault’s events could not be kept')
  })
  await index.storing
  index.storing = null
}

async function write(ctx: VaultContext, index: EventIndex): Promise<void> {
  const { nextBlock: next, startedAt: readAt } = index
  Object.assign(index, { storedNextBlock: next, storedAt: performance.now() })
  const parts: string[] = []
  for (const text of withoutClaimed(index.events).map(textOf)) {
    const last = parts.at(-1)
    if (last === undefined || last.length + text.length >= MAX_PART_CHARACTERS) parts.push(text)
    else parts[parts.length - 1] = `${last}\n${text}`
  }
  if (parts.length > MAX_PARTS) {
    const { chainId } = ctx.network
    ctx.log.warn(
      { network: chainId, parts: parts.length, most: MAX_PARTS },
      'the vault has more open exits than are kept: each start reads its events anew',
    )
    return
  }
  const { hash } = await readBlock(ctx, next - 1)
  await Promise.all(parts.map((text, part) => ctx.store.put(`${KEY} ${part}`, { next, text })))
  await ctx.store.put(KEY, { form: FORM, next, hash, readAt, parts: parts.length } satisfies Header)
}

const CHECKPOINT = /^c (\d{1,78}) (\d{1,78})$/
const REQUEST = /^r (0x[0-9a-f]{40}) (\d{1,78}) (\d{1,78}) (\d{1,78}|-) (\d{1,15}) (\d{1,12}|-) (\d{1,78}|-)$/

function textOf(event: VaultEvent): string {
  if (event.kind === 'checkpoint') return `c ${event.burned} ${event.assets}`
  if (event.kind !== 'request') throw new TypeError('a claim is not kept')
  const { receiver, ticket, first, tickets, fixedAssets, block, timestamp } = event
  return `r ${receiver} ${ticket} ${tickets} ${fixedAssets ?? '-'} ${block} ${timestamp ?? '-'} ${first === ticket ? '-' : first}`
}

/** @returns null for what is no part of this reading */
function eventsOf(stored: unknown, next: number): readonly VaultEvent[] | null {
  const { next: of, text } = membersOf(stored)
  if (of !== next || typeof text !== 'string') return null
  const events = text.split('\n').map((line) => eventOf(line, next))
  return events.every((event) => event !== null) ? events : null
}

function eventOf(text: string, next: number): VaultEvent | null {
  const [, burned, assets] = CHECKPOINT.exec(text) ?? []
  if (burned && assets) return { kind: 'checkpoint', burned: BigInt(burned), assets: BigInt(assets), block: next - 1 }
  const [, receiver, ticket, tickets, fixedAssets, block, timestamp, first] = REQUEST.exec(text) ?? []
  if (!receiver || !ticket || !tickets || !fixedAssets) return null
  return {
    kind: 'request',
    receiver,
    ticket: BigInt(ticket),
    first: BigInt(first === '-' ? ticket : (first ?? '')),
    tickets: BigInt(tickets),
    fixedAssets: fixedAssets === '-' ? null : BigInt(fixedAssets),
    block: Number(block),
    timestamp: timestamp === '-' ? null : Number(timestamp),
  }
}

function headerOf(stored: unknown): Header | null {
  const { form, next, hash, readAt, parts } = membersOf(stored)
  if (form !== FORM || !isCount(next) || !isCount(readAt) || !isCount(parts)) return null
  return parts <= MAX_PARTS && typeof hash === 'string' ? { form, next, hash, readAt, parts } : null
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

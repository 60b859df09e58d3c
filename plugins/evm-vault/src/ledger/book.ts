import type { Book, BookReading, Flow, FlowKind, Flows, UnknownReason } from '@svc/contract/book'
import { areConfirmed, finalOf, holdsBlock, readTimes } from '@svc/kit-evm'
import { contextOf, type VaultContext, vaultsOf } from '../network.ts'
import { eventOf, isOf, type VaultEvent, vaultLogs } from './events.ts'
import { exitsOf, isDeclared, reading, worthAt } from './reading.ts'
import { isGift, SHARE, walk } from './walk.ts'

/** Kinds of flows by which shares come and go. */
const SHARES: readonly FlowKind[] = ['deposit', 'transfer_in', 'reward', 'withdrawal', 'exit_requested', 'transfer_out']
/** Kinds of flows by which tickets of the queue come and go. */
const EXITS: readonly FlowKind[] = ['exit_requested', 'transfer_in', 'withdrawal']

/**
 * The book of a depositor of the operator's vaults: his shares and his exits in each, which flows alone move, and what they are worth. Its flows are the vaults' events, each
 * seen in its transaction's receipt besides. What a worth has changed by beyond its flows is the revaluation: by harvests and losses, for shares and for exits that wait.
 */
export const book: Book<VaultContext> = {
  buckets: [
    { name: 'shares', asset: SHARE, kind: 'principal', movedBy: SHARES },
    { name: 'worth', asset: 'native', kind: 'worth', units: 'shares', movedBy: SHARES },
    { name: 'exit', asset: SHARE, kind: 'principal', movedBy: EXITS },
    { name: 'exit_worth', asset: 'native', kind: 'worth', units: 'exit', movedBy: EXITS },
  ],
  reading,
  holds: holdsBlock,
  flows,
}

/** @throws 502, 503, 504 */
async function flows(ctx: VaultContext, address: string, from: BookReading, to: BookReading): Promise<Flows> {
  const parts = await Promise.all(vaultsOf(ctx.network).map((vault) => flowsIn(contextOf(ctx, vault), address, from, to)))
  const isWhole = isDeclared(from) && isDeclared(to)
  return {
    flows: parts.flatMap((part) => part.flows).toSorted(byPlace),
    missing: isWhole ? (parts.find(({ missing }) => missing !== null)?.missing ?? null) : 'not_declared',
  }
}

/** The same in one vault. */
async function flowsIn(ctx: VaultContext, address: string, from: BookReading, to: BookReading): Promise<Flows> {
  const logs = await vaultLogs(ctx, finalOf(from.mark).height, finalOf(to.mark))
  if (logs === null) return { flows: [], missing: 'flow_missing' }
  const isOwn = isOf(address, ctx.network)
  const own = logs.filter(isOwn)
  const events = own.map(eventOf)
  const [holder, vault] = [address.toLowerCase(), ctx.network.vault.toLowerCase()]
  const [times, isConfirmed, worths] = await Promise.all([
    readTimes(ctx, own),
    areConfirmed(ctx, own, isOwn),
    Promise.all(events.map((event, place) => worthOf(ctx, event, events[place - 1], vault))),
  ])
  const { moves, missing } = walk(holder, vault, exitsOf(from, vault), events, (event) => worths[events.indexOf(event)] ?? 'pruned')
  return {
    flows: moves.map(({ event: { log }, ...move }) => ({
      ...move,
      height: log.block,
      time: times.get(log.block) ?? to.mark.time,
      tx: log.tx,
      index: log.index,
    })),
    missing: isConfirmed ? missing : 'endpoint_disagrees',
  }
}

/**
 * Reads what shares were worth that an event moves without saying so, from the state of its block, in wei.
 *
 * @returns null where the event says all; the reason where it is not known
 */
async function worthOf(
  ctx: VaultContext,
  event: VaultEvent,
  before: VaultEvent | undefined,
  vault: string,
): Promise<bigint | UnknownReason | null> {
  const isAsked = event.name === 'ExitQueueEntered' || (event.name === 'Transfer' && isGift(event, before, vault))
  if (!isAsked) return null
  try {
    return await worthAt(ctx, event.shares, event.log.blockHash)
  } catch (error) {
    ctx.log.info(
      { err: error, network: ctx.network.chainId, block: event.log.blockHash },
      'the state of an earlier block could not be read',
    )
    return 'pruned'
  }
}

function byPlace(one: Flow, other: Flow): number {
  return one.height === other.height ? Number(one.index) - Number(other.index) : Number(one.height) - Number(other.height)
}

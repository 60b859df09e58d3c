import type { Book, BookReading, Flows, UnknownReason } from '@svc/contract/book'
import { areConfirmed, finalOf, holdsBlock, knownBlock, readTimes } from '@svc/kit-evm'
import type { LiquidContext } from '../network.ts'
import { eventOf, isOf, type VaultEvent, vaultLogs } from './events.ts'
import { reading, requestAt, worthAt } from './reading.ts'
import { causeOf, SHARE, walk } from './walk.ts'

/**
 * The book of a holder of the pool's token: its shares, which transfers alone move, what they are worth, and what it has requested back. Its flows are the vault's events, each
 * seen in its transaction's receipt besides. What the worth has changed by beyond its flows is the revaluation.
 */
export const book: Book<LiquidContext> = {
  buckets: [
    { name: 'shares', asset: SHARE, kind: 'principal', movedBy: ['deposit', 'exit_requested', 'transfer_in', 'transfer_out'] },
    {
      name: 'worth',
      asset: 'native',
      kind: 'worth',
      units: 'shares',
      movedBy: ['deposit', 'exit_requested', 'transfer_in', 'transfer_out'],
    },
    { name: 'exit', asset: 'native', kind: 'principal', movedBy: ['exit_requested', 'withdrawal', 'fee'] },
  ],
  reading,
  holds: holdsBlock,
  flows,
}

/** @throws 502, 503, 504 */
async function flows(ctx: LiquidContext, address: string, from: BookReading, to: BookReading): Promise<Flows> {
  const logs = await vaultLogs(ctx, finalOf(from.mark).height, finalOf(to.mark))
  if (logs === null) return { flows: [], missing: 'flow_missing' }
  const isOwn = isOf(address, ctx.network)
  const own = logs.filter(isOwn)
  const events = own.map(eventOf)
  const holder = address.toLowerCase()
  const [times, isConfirmed, amounts] = await Promise.all([
    readTimes(ctx, own),
    areConfirmed(ctx, own, isOwn),
    Promise.all(events.map((event, place) => amountAt(ctx, event, events.slice(place + 1)))),
  ])
  const amountOf = (event: VaultEvent) => amounts[events.indexOf(event)] ?? 'pruned'
  const { moves, missing } = walk(holder, from.amounts.exit ?? 0n, events, amountOf)
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
 * Reads what an event does not say from the state of its block, in wei. What a request is paid is fixed as it is made: of one that was paid within the interval, so that no
 * reading shows it, the block before the payment is asked too.
 *
 * @returns null where the event says all; the reason where the amount is not known
 */
async function amountAt(ctx: LiquidContext, event: VaultEvent, later: readonly VaultEvent[]): Promise<bigint | UnknownReason | null> {
  const { log } = event
  try {
    if (event.name === 'Transfer') return causeOf(event, later[0]) === null ? await worthAt(ctx, event.shares, log.blockHash) : null
    if (event.name !== 'RedeemRequest') return null
    const payment = later.find(({ name }) => name === 'Withdraw')
    const [first, second] = await Promise.all([
      requestAt(ctx, event, log.blockHash),
      payment && knownBlock(ctx, payment.log.block - 1n).then(({ hash }) => requestAt(ctx, event, hash)),
    ])
    if (payment !== undefined && first !== second) return 'endpoint_disagrees'
    return first ?? 'flow_missing'
  } catch (error) {
    ctx.log.info({ err: error, network: ctx.network.chainId, block: log.blockHash }, 'the state of an earlier block could not be read')
    return 'pruned'
  }
}

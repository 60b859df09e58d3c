import { malformedAnswer } from '@svc/contract'
import type { Book, BookReading, Flow, Flows } from '@svc/contract/book'
import { areConfirmed, finalMark, finalOf, holdsBlock, logStream, type PlacedLog, parseAbi, readTimes } from '@svc/kit-evm'
import { askAll, askBalance, askPrice, askUnits } from './chain.ts'
import type { SavingsContext, SavingsNetwork } from './network.ts'

/** A unit's price is in parts of it. */
const ONE = 10n ** 18n

const events = parseAbi([
  'event Deposited(address indexed saver, uint256 amount, uint256 units)',
  'event Withdrawn(address indexed saver, uint256 amount, uint256 units)',
])
const HASHES = ['Deposited', 'Withdrawn'].map((name) => events.interface.getEvent(name)?.topicHash ?? '')

/** Reads the vault's events of an interval, of all savers: once for all their books. */
const vaultLogs = logStream<SavingsNetwork>({ filter: ({ vault }) => ({ address: vault, events: HASHES }), kept: () => () => true })

/**
 * The book of a saver: units, which events alone move, and what they are worth. What the worth has changed by beyond its flows is what the price has brought, once the units
 * add up; so no `earned` is needed.
 */
export const book: Book<SavingsContext> = {
  buckets: [
    { name: 'units', asset: 'unit', kind: 'principal', movedBy: ['deposit', 'withdrawal'] },
    { name: 'savings', asset: 'native', kind: 'worth', units: 'units', movedBy: ['deposit', 'withdrawal'] },
  ],
  reading,
  holds: holdsBlock,
  flows,
}

/** Reads both at the last final block, and never one of them at another. The vault's word for the worth has to be what its price makes of the units. */
async function reading(ctx: SavingsContext, saver: string): Promise<BookReading> {
  const { network } = ctx
  const mark = await finalMark(ctx)
  const questions = { units: askUnits(network, saver), savings: askBalance(network, saver), price: askPrice(network) }
  const { price, ...amounts } = await askAll(ctx, questions, { at: mark.hash })
  if (amounts.savings !== (amounts.units * price) / ONE) throw malformedAnswer({ price, ...amounts }).refusal
  return { mark, amounts: Object.fromEntries(Object.entries(amounts).filter(([, amount]) => amount > 0n)), keep: {} }
}

/** Reads the saver's events after one reading up to another, each of which has to be in its transaction's receipt besides. */
async function flows(ctx: SavingsContext, saver: string, from: BookReading, to: BookReading): Promise<Flows> {
  const logs = await vaultLogs(ctx, finalOf(from.mark).height, finalOf(to.mark))
  // More blocks than are looked through: what has moved is not known.
  if (logs === null) return { flows: [], missing: 'flow_missing' }
  const isOwn = isOf(saver, ctx.network)
  const own = logs.filter(isOwn)
  const [times, isConfirmed] = await Promise.all([readTimes(ctx, own), areConfirmed(ctx, own, isOwn)])
  return {
    flows: own.flatMap((log) => movesOf(log, times.get(log.block) ?? to.mark.time)),
    missing: isConfirmed ? null : 'endpoint_disagrees',
  }
}

/** Tells what an event has moved: wei between the wallet and the savings, and units that were made or destroyed. */
function movesOf(log: PlacedLog, time: Date): readonly Flow[] {
  const event = events.interface.parseLog(log)
  if (!event) throw new TypeError('a log of no event of the vault')
  const { amount, units } = event.args
  const place = { height: log.block, time, tx: log.tx, index: log.index }
  const moves: readonly Flow[] =
    event.name === 'Deposited'
      ? [
          { ...place, kind: 'deposit', amount, from: 'wallet', to: 'savings' },
          { ...place, kind: 'deposit', amount: units, from: 'chain', to: 'units' },
        ]
      : [
          { ...place, kind: 'withdrawal', amount, from: 'savings', to: 'wallet' },
          { ...place, kind: 'withdrawal', amount: units, from: 'units', to: 'chain' },
        ]
  return moves.filter((move) => move.amount > 0n)
}

/** Makes the test whether a log is about a saver. */
function isOf(saver: string, { vault }: SavingsNetwork) {
  const [topic, contract] = [`0x${saver.slice(2).toLowerCase().padStart(64, '0')}`, vault.toLowerCase()]
  return ({ address, topics }: Pick<PlacedLog, 'address' | 'topics'>) =>
    address === contract && HASHES.includes(topics[0] ?? '') && topics[1] === topic
}

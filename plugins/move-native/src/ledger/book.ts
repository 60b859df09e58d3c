import type { Book, BookReading, Flows, Mark } from '@svc/contract/book'
import { readCheckpoint } from '@svc/kit-move'
import { type Reading, type StakingContext, withNode } from '../network.ts'
import { readTableRates } from './rates.ts'
import { reading } from './reading.ts'
import { placesOf, type Replay, replay } from './replay.ts'
import { type PositionState, type RateTable, stateOf } from './state.ts'
import { stakeTransactions } from './transactions.ts'

/**
 * The book of the stakes of a wallet, with any validator. Flows are what the wallet's transactions, and those of others, have done with its objects, version by version; rewards
 * follow from the rates that the chain keeps for each pool and epoch.
 */
export const book: Book<StakingContext> = {
  buckets: [
    { name: 'stake', asset: 'native', kind: 'principal', movedBy: ['activation', 'withdrawal', 'tokenize', 'transfer_in', 'transfer_out'] },
    {
      name: 'pending',
      asset: 'native',
      kind: 'principal',
      movedBy: ['deposit', 'activation', 'withdrawal', 'transfer_in', 'transfer_out'],
    },
    { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: ['claim', 'tokenize', 'transfer_in', 'transfer_out', 'rounding'] },
    { name: 'fungible', asset: 'pool_token', kind: 'principal', movedBy: ['tokenize', 'withdrawal', 'transfer_in', 'transfer_out'] },
    {
      name: 'fungible_worth',
      asset: 'native',
      kind: 'worth',
      units: 'fungible',
      movedBy: ['tokenize', 'withdrawal', 'transfer_in', 'transfer_out'],
    },
  ],
  reading,
  holds,
  flows,
  // Worked out with the flows, from which it follows.
  async earned(_ctx, _wallet, _from, _to, { trail }) {
    return { earnings: { rewards: (trail as Replay).earning } }
  },
}

/** A checkpoint that a node no longer has is no contradiction. @throws 502, 503, 504 */
async function holds(ctx: StakingContext, { height, hash }: Mark): Promise<boolean> {
  if (height === null) return true
  return withNode(ctx, async ({ node }) => {
    const checkpoint = await readCheckpoint(node, height)
    return checkpoint === null || checkpoint.hash === hash
  })
}

/** @throws 502, 503, 504 */
async function flows(ctx: StakingContext, wallet: string, from: BookReading, to: BookReading): Promise<Flows> {
  const [before, after] = [stateOf(from.keep), stateOf(to.keep)]
  const [opening, closing] = [from.mark.height, to.mark.height]
  if (before === null || after === null || opening === null || closing === null) return toldOf(unknown('not_declared'))
  return withNode(ctx, async (node) => {
    const transactions = await stakeTransactions(node, wallet, { from: opening + 1n, until: closing })
    if (typeof transactions === 'string') return toldOf(unknown(transactions))
    const places = placesOf(before, after, transactions)
    const tables = new Map([...before.tables, ...after.tables, ...(await passing(node, before, after, places))])
    const rateOf = await readTableRates(node, after.epoch, tables, places)
    return toldOf(replay(wallet, before, after, transactions, rateOf))
  })
}

/** Finds the tables of pools with which there is a stake at neither end. */
async function passing(
  { node }: Reading,
  before: PositionState,
  after: PositionState,
  places: readonly { readonly pool: string }[],
): Promise<ReadonlyMap<string, RateTable>> {
  const pools = new Set(places.flatMap(({ pool }) => (before.tables.has(pool) || after.tables.has(pool) ? [] : [pool])))
  if (pools.size === 0) return new Map()
  const { validators } = await node.systemState()
  return new Map(
    validators.flatMap(({ pool }) =>
      pools.has(pool.id) ? [[pool.id, { table: pool.exchangeRatesId, since: pool.activationEpoch ?? after.epoch + 1n }] as const] : [],
    ),
  )
}

function toldOf(result: Replay): Flows {
  return { flows: result.flows, missing: result.missing, trail: result }
}

function unknown(missing: NonNullable<Replay['missing']>): Replay {
  return { flows: [], missing, earning: { unknown: missing === 'not_declared' ? missing : 'claims_not_known' } }
}

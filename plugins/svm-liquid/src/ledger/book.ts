import type { Book, BookReading, Flows, UnknownReason } from '@svc/contract/book'
import { type PlacedRecord, readRecords } from '@svc/kit-svm'
import { tokenAccountOf } from '../chain/derived-addresses.ts'
import { type LiquidContext, poolOf } from '../network.ts'
import { holdingsOf, poolFacts } from './books.ts'
import { reading } from './reading.ts'
import { TOKEN, walk } from './walk.ts'

/** Times that accounts are looked for whose transactions are to be read: one is known by a transaction of another. */
const MOST_ROUNDS = 4

/**
 * The book of a holder of the pool's tokens: the tokens in all accounts of the wallet, which transactions alone move, and their worth by the pool's books. Each transaction
 * takes over in each account what the one before it left. What the worth has changed by beyond its flows is the revaluation.
 */
export const book: Book<LiquidContext> = {
  buckets: [
    { name: 'tokens', asset: TOKEN, kind: 'principal', movedBy: ['deposit', 'withdrawal', 'transfer_in', 'transfer_out'] },
    {
      name: 'worth',
      asset: 'native',
      kind: 'worth',
      units: 'tokens',
      movedBy: ['deposit', 'withdrawal', 'fee', 'transfer_in', 'transfer_out'],
    },
  ],
  reading,
  // A final slot stays.
  holds: async () => true,
  flows,
}

/** @throws 502, 503, 504 */
async function flows(ctx: LiquidContext, wallet: string, from: BookReading, to: BookReading): Promise<Flows> {
  const own = poolOf(ctx.network)
  const [opening, closing] = [from, to].map(({ keep }) => ({ holdings: holdingsOf(keep), pool: poolFacts(keep) }))
  if (!opening?.holdings || !closing?.holdings || opening.pool.pool !== closing.pool.pool) return { flows: [], missing: 'not_declared' }
  const ends = {
    opening: { holdings: opening.holdings, pool: opening.pool },
    closing: { holdings: closing.holdings, pool: closing.pool, time: to.mark.time },
  }
  let unread = new Set([wallet, tokenAccountOf(wallet, own).toBase58(), ...opening.holdings.keys(), ...closing.holdings.keys()])
  const accounts = new Set<string>()
  const records = new Map<string, PlacedRecord>()
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const list = await readRecords(ctx.client, unread, slotOf(from), slotOf(to))
    if (typeof list === 'string') return { flows: [], missing: list satisfies UnknownReason }
    for (const record of list) records.set(record.signature, record)
    for (const account of unread) accounts.add(account)
    const {
      moves,
      missing,
      accounts: all,
    } = walk(
      wallet,
      own,
      ends,
      [...records.values()].toSorted((one, other) => Number(one.slot - other.slot)),
    )
    unread = new Set([...all].filter((account) => !accounts.has(account)))
    if (unread.size === 0) return { flows: moves, missing }
  }
  return { flows: [], missing: 'flow_missing' }
}

/** Every reading of this book is of a slot. */
function slotOf({ mark: { height } }: BookReading): bigint {
  if (height === null) throw new TypeError('a reading without a slot')
  return height
}

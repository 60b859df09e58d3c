import type { Balance } from '@svc/contract'
import type { BookReading, Bucket } from '@svc/contract/book'
import type { Work, WorkDatabase } from '../db/work.ts'
import type { PositionRead } from '../life/position-stream.ts'
import type { WatchKey } from '../life/watches.ts'
import { bookSoon, openBook } from './books.ts'
import { closeInterval } from './close.ts'
import { basesOf, saveLine } from './lines.ts'

/** Buckets of a position as `balance` reports it, for a plugin that declares no book: no flows are known to move them. */
export const BALANCE_BUCKETS: readonly Bucket[] = [
  ...['staked', 'activating', 'deactivating', 'withdrawing'].map(
    (name) => ({ name, asset: 'native', kind: 'principal', movedBy: [] }) as const,
  ),
  { name: 'rewards', asset: 'native', kind: 'accrual', movedBy: [] },
]

/** Least time between two lines of a book that holds balances, in milliseconds, when nothing but rewards has changed. */
const LINE_MS = 3_600_000

/**
 * Makes the work that is saved together with a position. For a plugin with a book, it schedules a reading at a final height; for one without, it writes the balance just
 * read into the book, and asks the chain for nothing more.
 */
export function* positionRead(database: WorkDatabase, key: WatchKey, { looks, balance, at }: PositionRead): Work<void> {
  if (looks.book !== null) return yield* bookSoon(database, key)
  const book = yield* openBook(database, key)
  const [base] = yield* basesOf(database, book)
  const reading = readingOf(balance, at)
  const change = { openFrom: null, openSince: null, nextMs: null, sweepMs: null, failures: 0 }
  if (base === undefined) {
    yield* saveLine(database, book, { reading, base: null, entries: [], reasons: [], complete: true, source: 0, corrected: [] }, change)
    return
  }
  const closing = closeInterval({ buckets: BALANCE_BUCKETS, opening: base.reading, closing: reading, flows: null, earned: null })
  const hasMoved = closing.entries.some(({ from, to }) => from !== 'rewards' && to !== 'rewards')
  if (!hasMoved && at.getTime() - base.reading.mark.time.getTime() < LINE_MS) return
  yield* saveLine(database, book, { reading, base: base.n, ...closing, source: 0, corrected: [] }, change)
}

function readingOf({ staked, activating, deactivating, withdrawing, rewards }: Balance, at: Date): BookReading {
  const parts = Object.entries({ staked, activating, deactivating, withdrawing, rewards })
  const amounts = Object.fromEntries(parts.flatMap(([name, amount]) => (amount === null || amount === 0n ? [] : [[name, amount]])))
  return { mark: { height: null, hash: null, time: at, epoch: null }, amounts, keep: {} }
}

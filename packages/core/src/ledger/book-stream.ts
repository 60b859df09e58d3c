import { isServiceError } from '@svc/contract'
import type { Bucket } from '@svc/contract/book'
import { holdsLease, type Lease } from '../db/leases.ts'
import type { Work, WorkDatabase } from '../db/work.ts'
import { type Budget, SWEPT_AT_ONCE } from '../life/budget.ts'
import { lastOf } from '../life/claim.ts'
import type { Stream, StreamEnd, StreamParts } from '../life/follower.ts'
import { nameOf } from '../life/networks.ts'
import { areSilent, countsOf, failureOf, type Outcome } from '../life/outcome.ts'
import { shareOf } from '../life/position.ts'
import { retryAfter } from '../life/schedule.ts'
import { answerInTime } from '../life/time-limit.ts'
import type { StreamPlace } from '../life/transactions.ts'
import { isSwept } from '../life/watches.ts'
import { type Attempt, attempt, isSettled } from './attempt.ts'
import { type BookReason, type BookRow, claimBooks, postponeBook } from './books.ts'
import type { Closing } from './close.ts'
import type { BookUnits } from './entry-wire.ts'
import { type Base, basesOf, entriesSince, saveLine } from './lines.ts'
import { rewardedEvents } from './rewarded.ts'

/** Time for which a claimed row belongs to the process that claimed it, in milliseconds: longer than a reading may take. */
const ROW_MS = 60_000
const READ_MS = 45_000
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Time over which regular readings are spread, in milliseconds, as those of positions are. */
const SPREAD_MS = DAY_MS / 8
/** Least time between two lines of which the later one holds rewards alone. */
const LINE_MS = HOUR_MS
/** Time for which an unexplained interval is tried again, in milliseconds: an endpoint that was down for a weekend is back by then. */
const OPEN_MS = 7 * DAY_MS

/** Facts of a book before it is read. */
interface BookFacts {
  /** Readings that are kept, newest first. */
  readonly bases: readonly Base[]
  /** Time until its regular reading, in milliseconds; null: the wallet's position is read before, and the book with it. */
  readonly sweepMs: number | null
}

/** Budgets of a network. */
interface BookBudgets {
  readonly looks: Budget
  /** Budget for books whose regular reading is due. */
  readonly sweeps: Budget
}

/**
 * Makes the stream that keeps the books of a network: it reads those whose positions were read, and the others once a day as far as a budget allows, and writes what
 * happened between two readings. Unexplained changes are written as such, and looked at again.
 */
export function createBookStream(
  { store, events, networks, now, clock, log, seen }: StreamParts,
  budgetsOf: (place: StreamPlace) => BookBudgets,
): Stream {
  const options = { now: clock }
  /** The account that had the last turn, by network. */
  const turns = new Map<string, string>()

  /** Reads one, and writes what it found. */
  async function read(book: BookRow, { bases, sweepMs }: BookFacts, place: StreamPlace, lease: Lease): Promise<Outcome> {
    const looks = networks.seenBy(book.account, place)
    const write = (work: (database: WorkDatabase) => Work<unknown>) =>
      events.transact(function* (database) {
        if (yield* holdsLease(database, lease)) yield* work(database)
      })
    if (!looks?.book) {
      await write((database) => postponeBook(database, book, { nextMs: null, sweepMs: DAY_MS, failed: false }))
      return 'ok'
    }
    const { book: reads } = looks
    let result: Attempt
    try {
      result = await answerInTime(READ_MS, attempt(reads, book.wallet, bases))
    } catch (err) {
      const [outcome, failures] = [failureOf(err), book.failures + 1]
      // What is still being read says when it goes on, and goes on by being asked.
      const waitMs = outcome === 'failed' && isServiceError(err) && err.retryAfter !== undefined ? err.retryAfter * 1_000 : null
      const nextMs = waitMs ?? retryAfter(failures, MINUTE_MS)
      log.info({ err, ...place, wallet: book.wallet, failures }, 'a book could not be read')
      await write((database) => postponeBook(database, book, { nextMs, sweepMs, failed: waitMs === null }))
      return outcome
    }
    await write((database) => settle(database, book, bases, result, { sweepMs, buckets: reads.buckets, units: looks }))
    return 'ok'
  }

  function* settle(
    database: WorkDatabase,
    book: BookRow,
    bases: readonly Base[],
    result: Attempt,
    { sweepMs, buckets, units }: { readonly sweepMs: number | null; readonly buckets: readonly Bucket[]; readonly units: BookUnits },
  ): Work<void> {
    const at = now()
    if (result.kind === 'behind')
      return yield* postponeBook(database, book, { nextMs: retryAfter(book.failures + 1, MINUTE_MS), sweepMs, failed: true })
    if (result.kind === 'opened') {
      const line = { ...result, base: null, entries: [], reasons: [], complete: true, source: 0, corrected: [] }
      yield* saveLine(database, book, line, { openFrom: null, openSince: null, nextMs: null, sweepMs, failures: 0 })
      return
    }
    const { base, reading, closing } = result
    const [last = base] = bases
    const since = book.openSince ?? (base.isComplete && !isSettled(closing) ? at : null)
    // What an older line has left open stays so, although this interval is explained.
    const isLeft = !isSettled(closing) || (book.openFrom !== null && base.n > book.openFrom)
    const isOpen = isLeft && since !== null && at.getTime() - since.getTime() < OPEN_MS
    const failures = isOpen ? book.failures + 1 : 0
    const nextMs = isOpen ? retryAfter(failures, MINUTE_MS) : null
    const waits = base === last && isEnough(last, reading.mark.time, closing, isOpen)
    if (waits) return yield* postponeBook(database, book, { nextMs, sweepMs, failed: isOpen })
    const corrected = base.n + 1 < book.lines ? yield* entriesSince(database, book, base.n, buckets) : []
    const openFrom = isOpen ? (book.openFrom !== null && base.n > book.openFrom ? book.openFrom : base.n) : null
    const line = {
      reading,
      base: base.n,
      entries: closing.entries,
      reasons: closing.reasons,
      complete: closing.complete,
      source: result.source,
      corrected,
    }
    const saved = yield* saveLine(database, book, line, { openFrom, openSince: isOpen ? since : null, nextMs, sweepMs, failures })
    if (saved) yield* events.insert(database, yield* rewardedEvents(database, book, base, line, units))
    if (saved && !isSettled(closing) && base.isComplete)
      log.warn(
        { ...placeOf(book), wallet: book.wallet, reasons: closing.reasons, alert: 'LEDGER_UNEXPLAINED' },
        'a book has something that nothing explains; it is looked at again',
      )
  }

  /** Reads some of what is to be read for a reason. @returns how many; 0: there is none, or a budget is used up */
  async function readSome(
    reason: BookReason,
    place: StreamPlace,
    lease: Lease,
    looks: Budget,
    budget?: Budget,
  ): Promise<number | Exclude<StreamEnd, 'done'>> {
    const allowance = looks.take(SWEPT_AT_ONCE)
    const room = budget ? budget.take(allowance) : allowance
    looks.giveBack(allowance - room)
    if (room === 0) return 0
    const rows = await store.transact(function* (database) {
      if (!(yield* holdsLease(database, lease))) return null
      return yield* claimBooks(database, place, { most: room, leaseMs: ROW_MS, after: turns.get(nameOf(place)) ?? '', reason })
    }, options)
    const unused = room - (rows?.length ?? 0)
    looks.giveBack(unused)
    budget?.giveBack(unused)
    if (rows === null) return 'lost'
    if (rows.length === 0) return 0
    const accounts = rows.map(({ account }) => account)
    turns.set(nameOf(place), lastOf(accounts, turns.get(nameOf(place)) ?? ''))
    seen('books', place, { due: rows.map(({ nextAt, sweepAt }) => (budget ? sweepAt : nextAt)) })
    const facts = await Promise.all(rows.map((book) => store.run((database) => factsOf(database, book), options)))
    // All in one turn of the event loop: their calls travel together.
    const outcomes = await Promise.all(facts.map(([book, each]) => read(book, each, place, lease)))
    seen('books', place, countsOf(outcomes))
    return areSilent(outcomes) ? 'failed' : rows.length
  }

  return {
    kind: 'books',
    isDue(place, due) {
      const { looks, sweeps } = budgetsOf(place)
      return (due.books || (due.bookSweeps && sweeps.left() > 0)) && looks.left() > 0
    },
    async run(place, lease) {
      const { looks, sweeps } = budgetsOf(place)
      for (;;) {
        const first = await readSome('due', place, lease, looks)
        const count = first === 0 ? await readSome('sweep', place, lease, looks, sweeps) : first
        if (typeof count === 'string') return count
        if (count === 0) return 'done'
      }
    },
  }
}

function* factsOf(database: WorkDatabase, book: BookRow): Work<readonly [BookRow, BookFacts]> {
  const sweepMs = DAY_MS + shareOf(String(book.id)) * SPREAD_MS
  return [book, { bases: yield* basesOf(database, book), sweepMs: (yield* isSwept(database, book, DAY_MS + SPREAD_MS)) ? null : sweepMs }]
}

/**
 * Tells whether an interval since the last line needs no line yet: rewards alone make one an hour, and what is open stays open in one line for a day at least.
 *
 * @param time of the new reading, by the chain
 */
function isEnough({ reading: { mark }, isComplete }: Base, time: Date, { complete, entries }: Closing, isOpen: boolean): boolean {
  const ageMs = time.getTime() - mark.time.getTime()
  if (!complete && isOpen) return !isComplete && ageMs < DAY_MS
  return ageMs < LINE_MS && complete === isComplete && entries.every(({ kind }) => kind === 'reward')
}

function placeOf({ protocol, network }: BookRow): StreamPlace {
  return { protocol, network }
}

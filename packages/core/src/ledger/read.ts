import type { Amounts, Bucket, Mark, UnknownReason } from '@svc/contract/book'
import { core } from '../db/drizzle.ts'
import { ask, timeOf, type Work, type WorkDatabase } from '../db/work.ts'
import { unpackAmounts } from './amounts.ts'
import { type BookRow, bookOf } from './books.ts'
import { type BookedEntry, COMPLETE, entryOf, keysOf, markOf, rewardsOf, SUPERSEDED } from './lines.ts'

const { sql } = core()

/** A line of a book. */
export interface BookLine {
  readonly n: number
  readonly mark: Mark
  readonly closing: Amounts
  /** Number of the line whose closing is its opening; null: it is the first. */
  readonly opening: number | null
  readonly isComplete: boolean
  readonly isSuperseded: boolean
  /** Reasons why the line is not complete; `not_declared` of one that is: it leaves assets out. */
  readonly reasons: readonly UnknownReason[]
  /** Source of the reading: 0: the failover; otherwise the number of the endpoint. */
  readonly source: number
  readonly bookedAt: Date
  /** In their order: first what takes entries back, then flows and remainders; its rewards by bucket at the end. */
  readonly entries: readonly BookedEntry[]
}

/** Tells whether all is known of a line: everything in it is explained, and it leaves no asset out. */
export function isWhole({ isComplete, reasons }: Pick<BookLine, 'isComplete' | 'reasons'>): boolean {
  return isComplete && reasons.length === 0
}

/** Filter of books; what is left out may be any. */
export interface BookFilter {
  readonly account?: string | undefined
  readonly protocol?: string | undefined
  readonly network?: string | undefined
  /** Canonical. */
  readonly wallet?: string | undefined
}

/** Finds books in the order in which they were opened. @param after id of the last one of the page before */
export function* findBooks(
  _database: WorkDatabase,
  filter: BookFilter,
  { after, limit }: { readonly after: number; readonly limit: number },
): Work<readonly BookRow[]> {
  const { account, protocol, network, wallet } = filter
  const only = (column: string, value: string | undefined) => (value === undefined ? sql`` : sql`and ${sql.raw(column)} = ${value}`)
  const rows = yield* ask(sql`
    select * from svc_books where id > ${after} ${only('account', account)} ${only('protocol', protocol)} ${only('network', network)} ${only('wallet', wallet)}
    order by id limit ${limit}`)
  return rows.map(bookOf)
}

/** Range of lines, by the chain's time of their readings. */
interface LineRange {
  /** Earliest time, inclusive. */
  readonly from?: Date | undefined
  /** Latest time, exclusive. */
  readonly to?: Date | undefined
  /** Number of the last one of the page before. @default none */
  readonly after?: number | undefined
  readonly limit: number
}

/** Reads lines of a book with their entries, in their order. */
export function* linesOf(database: WorkDatabase, book: BookRow, buckets: readonly Bucket[], range: LineRange): Work<readonly BookLine[]> {
  const { from, to, after = -1, limit } = range
  const rows = yield* ask(sql`
    select l.*, b.keys, m.height, m.hash, m.at, m.epoch from svc_lines l join svc_marks m on m.id = l.mark join svc_books b on b.id = l.book
    where l.book = ${book.id} and l.n > ${after} ${from === undefined ? sql`` : sql`and l.at >= ${database.at(from)}`}
      ${to === undefined ? sql`` : sql`and l.at < ${database.at(to)}`}
    order by l.n limit ${limit}`)
  const numbers = rows.map(({ n }) => Number(n))
  if (numbers.length === 0) return []
  const keys = keysOf(rows)
  const entries = yield* ask(sql`
    select * from svc_entries where book = ${book.id} and line >= ${Math.min(...numbers)} and line <= ${Math.max(...numbers)} order by line, n`)
  const byLine = new Map<number, BookedEntry[]>()
  for (const entry of entries.map(entryOf)) {
    const list = byLine.get(entry.line)
    if (list) list.push(entry)
    else byLine.set(entry.line, [entry])
  }
  return rows.map((row) => ({
    n: Number(row.n),
    mark: markOf(row),
    closing: unpackAmounts(row.closing as Uint8Array, keys),
    opening: row.opening === null ? null : Number(row.opening),
    isComplete: (Number(row.flags) & COMPLETE) !== 0,
    isSuperseded: (Number(row.flags) & SUPERSEDED) !== 0,
    reasons: row.reasons === null ? [] : (String(row.reasons).split(' ') as UnknownReason[]),
    source: Number(row.source),
    bookedAt: timeOf(row.booked_at),
    entries: [...(byLine.get(Number(row.n)) ?? []), ...rewardsOf(row, keys, buckets)],
  }))
}

/** Lines of a book that are read in one go. */
const BATCH = 500

/** Reads the lines of a range, preceded by the lines with which they begin, which may be older. @param most lines; null is returned where there are more */
export function* linesBetween(
  database: WorkDatabase,
  book: BookRow,
  buckets: readonly Bucket[],
  { from, to, most }: Pick<LineRange, 'from' | 'to'> & { readonly most: number },
): Work<readonly BookLine[] | null> {
  const lines: BookLine[] = []
  for (let after = -1; ; ) {
    const batch = yield* linesOf(database, book, buckets, { from, to, after, limit: BATCH })
    lines.push(...batch)
    if (lines.length > most) return null
    const last = batch.at(-1)
    if (last === undefined || batch.length < BATCH) break
    after = last.n
  }
  const known = new Set(lines.map(({ n }) => n))
  const before = lines.flatMap(({ opening, isSuperseded }) => (opening === null || isSuperseded || known.has(opening) ? [] : [opening]))
  const openings: BookLine[] = []
  for (const n of new Set(before)) openings.push(...(yield* linesOf(database, book, buckets, { after: n - 1, limit: 1 })))
  return [...openings, ...lines]
}

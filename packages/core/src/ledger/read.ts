import type { Bucket } from '@svc/contract/book'
import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import { type BookRow, bookOf } from './books.ts'
import { type BookedEntry, COMPLETE, type LineRange, rewardsOf, rowsOfLines, type StoredLine, SUPERSEDED } from './stored-lines.ts'
import { linesOfPages } from './turn-pages.ts'

const { sql } = core()

/** A line of a book. */
export interface BookLine extends Omit<StoredLine, 'flags' | 'rewards'> {
  readonly isComplete: boolean
  readonly isSuperseded: boolean
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

/** Reads lines of a book with their entries, in their order. */
export function* linesOf(
  database: WorkDatabase,
  book: BookRow,
  buckets: readonly Bucket[],
  range: LineRange & { readonly limit: number },
): Work<readonly BookLine[]> {
  // Rows first: lines that are packed meanwhile are read twice, and not never.
  const rows = yield* rowsOfLines(database, book, range)
  const pages = yield* linesOfPages(database, book, range)
  const keys = rows.keys.length > pages.keys.length ? rows.keys : pages.keys
  const packed = new Set(pages.lines.map(({ n }) => n))
  return [...pages.lines, ...rows.lines.filter(({ n }) => !packed.has(n))].slice(0, range.limit).map((line) => {
    const { flags, rewards, ...rest } = line
    return {
      ...rest,
      isComplete: (flags & COMPLETE) !== 0,
      isSuperseded: (flags & SUPERSEDED) !== 0,
      entries: [...line.entries, ...rewardsOf(line, keys, buckets)],
    }
  })
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

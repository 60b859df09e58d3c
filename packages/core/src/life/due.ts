import type { SQL } from 'drizzle-orm'
import { core } from '../db/drizzle.ts'
import { isFree } from '../db/leases.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import type { StreamPlace } from './transactions.ts'

const { sql } = core()

/** Kinds of work that are due on a network. */
export interface Due extends StreamPlace {
  readonly transactions: boolean
  /** True if there are positions of which a change is expected, or that were never read. */
  readonly positions: boolean
  readonly digests: boolean
  /** True if positions are to be read whole although no change is expected: those without a known digest (`sweeps`), and those whose digest has stayed the same (`rereads`). */
  readonly sweeps: boolean
  readonly rereads: boolean
  /** True if there are books whose positions were read or whose changes are to be explained (`books`), and books whose regular reading is due (`bookSweeps`). */
  readonly books: boolean
  readonly bookSweeps: boolean
}

/** Finds which kinds of rows are due on each network. One short statement, whatever the number of rows, since it is sent each second. */
export function* findDue(database: WorkDatabase, places: readonly StreamPlace[]): Work<readonly Due[]> {
  if (places.length === 0) return []
  const { now } = database
  const free = isFree(database, sql`lease_until`)
  const values = sql.join(
    places.map(({ protocol, network }) => sql`(${protocol}, ${network})`),
    sql`, `,
  )
  const there = sql`protocol = p.protocol and network = p.network`
  const watch = (what: SQL) => sql`exists (select 1 from svc_watches where ${there} and ${what} and ${free})`
  const book = (what: SQL) => sql`exists (select 1 from svc_books where ${there} and ${what} and ${free})`
  const rows = yield* ask<StreamPlace & Record<Exclude<keyof typeof NOTHING, 'bookSweeps'> | 'book_sweeps', unknown>>(sql`
    with p (protocol, network) as (values ${values})
    select p.protocol, p.network,
      exists (select 1 from svc_transactions where ${there} and next_at <= ${now} and ${free}) as transactions,
      ${watch(sql`due_at <= ${now}`)} as positions,
      ${watch(sql`compare_at <= ${now}`)} as digests,
      ${watch(sql`sweep_at <= ${now} and digest is null`)} as sweeps,
      ${watch(sql`sweep_at <= ${now} and digest is not null`)} as rereads,
      ${book(sql`next_at <= ${now}`)} as books,
      ${book(sql`sweep_at <= ${now}`)} as book_sweeps
    from p`)
  return rows.map(({ protocol, network, ...flags }) => ({
    ...{ protocol, network },
    transactions: isTrue(flags.transactions),
    positions: isTrue(flags.positions),
    digests: isTrue(flags.digests),
    sweeps: isTrue(flags.sweeps),
    rereads: isTrue(flags.rereads),
    books: isTrue(flags.books),
    bookSweeps: isTrue(flags.book_sweeps),
  }))
}

/** State of a network on which no work is due. */
export const NOTHING = {
  transactions: false,
  positions: false,
  digests: false,
  sweeps: false,
  rereads: false,
  books: false,
  bookSweeps: false,
} as const

/** Tells whether a database says true; SQLite has no truth but 1. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1
}

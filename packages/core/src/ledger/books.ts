import { core } from '../db/drizzle.ts'
import { storableText } from '../db/json.ts'
import { ask, type Row, timeOf, timeOrNull, type Work, type WorkDatabase } from '../db/work.ts'
import { type Claim, claimInTurns } from '../life/claim.ts'
import type { StreamPlace } from '../life/transactions.ts'
import type { WatchKey } from '../life/watches.ts'

const { sql } = core()

/** The book of a wallet. */
export interface BookRow extends WatchKey {
  readonly id: number
  readonly openedAt: Date
  /** Keys of the book's buckets, by their places. */
  readonly keys: readonly string[]
  /** Number of the book's lines. */
  readonly lines: number
  /** Number of the last line up to which everything is explained, while a later line is not; null: all are. */
  readonly openFrom: number | null
  readonly openSince: Date | null
  readonly nextAt: Date | null
  readonly sweepAt: Date | null
  readonly failures: number
  readonly fence: number
}

/** Reads a row of `svc_books`. */
export function bookOf(row: Row): BookRow {
  return {
    id: Number(row.id),
    account: String(row.account),
    protocol: String(row.protocol),
    network: String(row.network),
    wallet: String(row.wallet),
    openedAt: timeOf(row.opened_at),
    keys: JSON.parse(String(row.keys)) as string[],
    lines: Number(row.lines),
    openFrom: row.open_from === null ? null : Number(row.open_from),
    openSince: timeOrNull(row.open_since),
    nextAt: timeOrNull(row.next_at),
    sweepAt: timeOrNull(row.sweep_at),
    failures: Number(row.failures),
    fence: Number(row.fence),
  }
}

/** Opens the book of a wallet whose position was read, or schedules its reading for now. A reading that is under way writes nothing then, since the position is newer. */
export function* bookSoon(database: WorkDatabase, { account, protocol, network, wallet }: WatchKey): Work<void> {
  const { now } = database
  yield* ask(sql`
    insert into svc_books (account, protocol, network, wallet, opened_at, keys, lines, next_at, failures, fence)
    values (${account}, ${protocol}, ${network}, ${storableText(wallet)}, ${now}, '[]', 0, ${now}, 0, 0)
    on conflict (account, protocol, network, wallet) do update
      set next_at = case when svc_books.next_at < excluded.next_at then svc_books.next_at else excluded.next_at end,
        lease_until = null, fence = svc_books.fence + 1
    returning id`)
}

/** Returns the book of a wallet, opened where there is none. Its reading is not scheduled. */
export function* openBook(database: WorkDatabase, { account, protocol, network, wallet }: WatchKey): Work<BookRow> {
  const [row] = yield* ask(sql`
    insert into svc_books (account, protocol, network, wallet, opened_at, keys, lines, failures, fence)
    values (${account}, ${protocol}, ${network}, ${storableText(wallet)}, ${database.now}, '[]', 0, 0, 0)
    on conflict (account, protocol, network, wallet) do update set fence = svc_books.fence + 1 returning *`)
  if (!row) throw new Error('a book has a row')
  return bookOf(row)
}

/** Reason for reading a book. `due`: its position was read, or something in it is to be explained; `sweep`: its regular reading is due. */
export type BookReason = 'due' | 'sweep'

const TIME = { due: sql`next_at`, sweep: sql`sweep_at` } as const

/** Claims the books that are due, taking accounts in turns. */
export function* claimBooks(
  database: WorkDatabase,
  { protocol, network }: StreamPlace,
  { reason, ...claim }: Claim & { readonly reason: BookReason },
): Work<readonly BookRow[]> {
  const at = TIME[reason]
  const due = sql`protocol = ${protocol} and network = ${network} and ${at} <= ${database.now}`
  const rows = yield* claimInTurns(database, { table: 'svc_books', due, order: at, standsBack: sql`0` }, claim)
  return rows.map(bookOf)
}

/** Postpones the next reading of a book that could not be read, or has no news. @param failed whether it counts as a failure, of which the next pause depends */
export function* postponeBook(database: WorkDatabase, { id, fence }: BookRow, { nextMs, sweepMs, failed }: Pause): Work<void> {
  yield* ask(sql`
    update svc_books set next_at = ${nextMs === null ? null : database.later(nextMs)}, sweep_at = ${sweepMs === null ? null : database.later(sweepMs)},
      failures = ${failed ? sql`failures + 1` : sql`0`}, lease_until = null, fence = fence + 1
    where id = ${id} and fence = ${fence} returning id`)
}

/** Time of a book's next reading. */
interface Pause {
  /** Time until the next reading, in milliseconds; null: the book is read when its position was read. */
  readonly nextMs: number | null
  /** Time until its regular reading, in milliseconds; null: there is none. */
  readonly sweepMs: number | null
  readonly failed: boolean
}

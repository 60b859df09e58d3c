import type { Facts } from '@svc/contract'
import type { BookReading, Bucket, Mark, UnknownReason } from '@svc/contract/book'
import { core } from '../db/drizzle.ts'
import { storableText } from '../db/json.ts'
import { ask, jsonOf, type Work, type WorkDatabase } from '../db/work.ts'
import { packAmounts, unpackAmounts } from './amounts.ts'
import type { BookRow } from './books.ts'
import type { NewEntry } from './close.ts'
import { type BookedEntry, COMPLETE, keysOf, markOf, rewardsOf, rowsOfLines, SUPERSEDED } from './stored-lines.ts'
import { turnPages } from './turn-pages.ts'

const { sql } = core()

/** A reading with which the next interval can begin. */
export interface Base {
  /** Number of the line that ends with the reading. */
  readonly n: number
  readonly reading: BookReading
  readonly isComplete: boolean
}

/** A line to be written. */
export interface NewLine {
  readonly reading: BookReading
  /** Number of the line with whose reading this line opens; null: it is the first line. */
  readonly base: number | null
  readonly entries: readonly NewEntry[]
  readonly reasons: readonly UnknownReason[]
  readonly complete: boolean
  readonly source: number
  /** Entries of the lines between the opening and this line, which this line takes back. */
  readonly corrected: readonly BookedEntry[]
}

/** Changes of the book that come with a line. */
export interface BookChange {
  readonly openFrom: number | null
  readonly openSince: Date | null
  /** Time until the next reading, in milliseconds; null: the book is read when its position was read. */
  readonly nextMs: number | null
  /** null: as the position is read. */
  readonly sweepMs: number | null
  readonly failures: number
}

/** Reads the readings that an interval may begin with, newest first: that of the last line, and those that are kept beside it. */
export function* basesOf(_database: WorkDatabase, book: BookRow): Work<readonly Base[]> {
  const rows = yield* ask(sql`
    select l.n, l.flags, l.closing, l.keep, b.keys, m.height, m.hash, m.at, m.epoch
    from svc_lines l join svc_marks m on m.id = l.mark join svc_books b on b.id = l.book
    where l.book = ${book.id} and l.keep is not null order by l.n desc`)
  const keys = keysOf(rows)
  return rows
    .filter(({ flags }) => (Number(flags) & SUPERSEDED) === 0)
    .map((row) => ({
      n: Number(row.n),
      isComplete: (Number(row.flags) & COMPLETE) !== 0,
      reading: {
        mark: markOf(row),
        amounts: unpackAmounts(row.closing as Uint8Array, keys),
        keep: jsonOf<Facts>(row.keep) ?? {},
      },
    }))
}

/** Lists the entries of a book's lines behind a given one that are not taken back yet, and take nothing back. These lines are rows still. */
export function* entriesSince(
  database: WorkDatabase,
  book: BookRow,
  after: number,
  buckets: readonly Bucket[],
): Work<readonly BookedEntry[]> {
  const { lines, keys } = yield* rowsOfLines(database, book, { after })
  const standing = lines.filter(({ flags }) => (flags & SUPERSEDED) === 0)
  const rewards = standing.flatMap((line) => rewardsOf(line, keys, buckets))
  return [...rewards, ...standing.flatMap(({ entries }) => entries.filter(({ corrects }) => corrects === null))]
}

/**
 * Writes a line with its entries, and takes back the entries of the lines that it supersedes.
 *
 * @returns false: somebody else has changed the book since it was read, and nothing is written
 */
export function* saveLine(database: WorkDatabase, book: BookRow, line: NewLine, change: BookChange): Work<boolean> {
  const { reading, base, entries, corrected } = line
  const keys = [...book.keys, ...new Set(Object.keys(reading.amounts).filter((key) => !book.keys.includes(key)))]
  const n = book.lines
  const after = (ms: number | null) => (ms === null ? null : database.later(ms))
  const saved = yield* ask(sql`
    update svc_books set keys = ${storableText(JSON.stringify(keys))}, lines = ${n + 1}, open_from = ${change.openFrom},
      open_since = ${change.openSince && database.at(change.openSince)}, next_at = ${after(change.nextMs)},
      sweep_at = ${after(change.sweepMs)}, failures = ${change.failures}, lease_until = null, fence = fence + 1
    where id = ${book.id} and fence = ${book.fence} and lines = ${n} returning id`)
  if (saved.length === 0) return false
  const mark = yield* markId(database, book.network, reading.mark)
  const packed = packable(line, keys)
  const rewards = packAmounts(Object.fromEntries(packed.map(({ to, amount }) => [to, amount])), keys)
  const flags = line.complete ? COMPLETE : 0
  yield* ask(sql`
    insert into svc_lines (book, n, mark, at, closing, rewards, opening, flags, reasons, source, keep, booked_at)
    values (${book.id}, ${n}, ${mark}, ${database.at(reading.mark.time)}, ${packAmounts(reading.amounts, keys)}, ${rewards.length === 0 ? null : rewards},
      ${base}, ${flags}, ${line.reasons.join(' ') || null}, ${line.source}, ${storableText(JSON.stringify(reading.keep))}, ${database.now})
    returning n`)
  const rows = [
    ...corrected.map((entry) => ({ ...entry, amount: -entry.amount, corrects: `${entry.line}-${entry.name}` })),
    ...entries.filter((entry) => !packed.includes(entry)).map((entry) => ({ ...entry, corrects: null })),
  ]
  for (const [index, entry] of rows.entries()) yield* saveEntry(database, book.id, n, index, entry)
  if (base === null) return true
  if (base + 1 < n)
    yield* ask(sql`
      update svc_lines set flags = flags + ${SUPERSEDED}, keep = null
      where book = ${book.id} and n > ${base} and n < ${n} and flags < ${SUPERSEDED} returning n`)
  const oldest = Math.min(base, change.openFrom ?? base)
  yield* ask(sql`update svc_lines set keep = null where book = ${book.id} and n < ${oldest} and keep is not null returning n`)
  yield* turnPages(database, book, oldest)
  return true
}

/** Picks the rewards that need no row of their own: at the line's own mark, by no transaction, one for each bucket. */
function packable({ entries, reading: { mark } }: NewLine, keys: readonly string[]): readonly NewEntry[] {
  const plain = entries.filter(
    ({ kind, from, to, tx, index, height, time }) =>
      kind === 'reward' &&
      from === 'chain' &&
      keys.includes(to) &&
      tx === null &&
      index === null &&
      height === mark.height &&
      time === mark.time,
  )
  return plain.filter(({ to }) => plain.filter((other) => other.to === to).length === 1)
}

function* saveEntry(
  database: WorkDatabase,
  book: number,
  line: number,
  n: number,
  { kind, asset, amount, from, to, height, time, tx, index, reason, corrects }: NewEntry & { readonly corrects: string | null },
): Work<void> {
  yield* ask(sql`
    insert into svc_entries (book, line, n, kind, asset, amount, from_place, to_place, height, at, tx, log_index, reason, corrects, booked_at)
    values (${book}, ${line}, ${n}, ${kind}, ${storableText(asset)}, ${amount.toString()}, ${storableText(from)}, ${storableText(to)},
      ${height === null ? null : height.toString()}, ${time && database.at(time)}, ${tx === null ? null : storableText(tx)}, ${index}, ${reason}, ${corrects},
      ${database.now})
    returning n`)
}

/** Finds or writes the row of a block, which all wallets that were read at it share. */
function* markId(database: WorkDatabase, network: string, { height, hash, time, epoch }: Mark): Work<number> {
  const text = height === null ? null : height.toString()
  const [row] = yield* ask(sql`
    insert into svc_marks (network, height, hash, at, epoch)
    values (${network}, ${text}, ${hash === null ? null : storableText(hash)}, ${database.at(time)}, ${epoch})
    on conflict (network, height, hash, at) do update set epoch = excluded.epoch returning id`)
  if (!row) throw new Error('a mark has a row')
  return Number(row.id)
}

import type { Facts } from '@svc/contract'
import { assetOf, type BookReading, type Bucket, type EntryKind, type Mark, type UnknownReason } from '@svc/contract/book'
import { core } from '../db/drizzle.ts'
import { storableText } from '../db/json.ts'
import { ask, jsonOf, type Row, timeOf, timeOrNull, type Work, type WorkDatabase } from '../db/work.ts'
import { packAmounts, unpackAmounts } from './amounts.ts'
import type { BookRow } from './books.ts'
import type { NewEntry } from './close.ts'

const { sql } = core()

/** A line is complete; it was superseded. */
export const COMPLETE = 1
export const SUPERSEDED = 2

/** A reading with which the next interval can begin. */
export interface Base {
  /** Number of the line that ends with the reading. */
  readonly n: number
  readonly reading: BookReading
  readonly isComplete: boolean
}

/** An entry with its place in the book. */
export interface BookedEntry extends NewEntry {
  readonly line: number
  /** Its number in the line; of a reward of the line, which is kept with the line, `r` and the place of its bucket. */
  readonly name: string
  readonly corrects: string | null
  readonly bookedAt: Date
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

/** Lists the entries of a book's lines behind a given one that are not taken back yet, and take nothing back. */
export function* entriesSince(
  _database: WorkDatabase,
  book: BookRow,
  after: number,
  buckets: readonly Bucket[],
): Work<readonly BookedEntry[]> {
  const rows = yield* ask(sql`
    select e.*, l.flags from svc_entries e join svc_lines l on l.book = e.book and l.n = e.line
    where e.book = ${book.id} and e.line > ${after} and e.corrects is null order by e.line, e.n`)
  const lines = yield* ask(sql`
    select l.n, l.flags, l.rewards, l.booked_at, b.keys, m.height, m.at
    from svc_lines l join svc_marks m on m.id = l.mark join svc_books b on b.id = l.book
    where l.book = ${book.id} and l.n > ${after} and l.rewards is not null order by l.n`)
  const current = ({ flags }: Row) => (Number(flags) & SUPERSEDED) === 0
  const keys = keysOf(lines)
  return [...lines.filter(current).flatMap((row) => rewardsOf(row, keys, buckets)), ...rows.filter(current).map(entryOf)]
}

/**
 * Returns the keys of a book from rows of its lines: they are read in the statement that reads the lines, as a line that was written after the book was read may
 * name a key that the book did not have.
 */
export function keysOf([row]: readonly Row[]): readonly string[] {
  return row === undefined ? [] : (JSON.parse(String(row.keys)) as string[])
}

/** Makes the reward entries of a line, one for each bucket, from the amounts that are kept with the line. */
export function rewardsOf(row: Row, keys: readonly string[], buckets: readonly Bucket[]): readonly BookedEntry[] {
  if (row.rewards === null) return []
  return Object.entries(unpackAmounts(row.rewards as Uint8Array, keys)).map(([key, amount]) => ({
    line: Number(row.n),
    name: `r${keys.indexOf(key)}`,
    kind: 'reward',
    amount,
    from: 'chain',
    to: key,
    asset: assetOf(key, buckets),
    height: row.height === null ? null : BigInt(String(row.height)),
    time: timeOf(row.at),
    tx: null,
    index: null,
    reason: null,
    corrects: null,
    bookedAt: timeOf(row.booked_at),
  }))
}

/** Reads a row of `svc_entries`. */
export function entryOf(row: Row): BookedEntry {
  return {
    line: Number(row.line),
    name: String(row.n),
    kind: row.kind as EntryKind,
    amount: BigInt(String(row.amount)),
    from: String(row.from_place),
    to: String(row.to_place),
    asset: String(row.asset),
    height: row.height === null ? null : BigInt(String(row.height)),
    time: timeOrNull(row.at),
    tx: row.tx === null ? null : String(row.tx),
    index: row.log_index === null ? null : Number(row.log_index),
    reason: row.reason as UnknownReason | null,
    corrects: row.corrects === null ? null : String(row.corrects),
    bookedAt: timeOf(row.booked_at),
  }
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

/** Reads the block of a row that is joined with its mark. */
export function markOf(row: Row): Mark {
  return {
    height: row.height === null ? null : BigInt(String(row.height)),
    hash: row.hash === null ? null : String(row.hash),
    time: timeOf(row.at),
    epoch: row.epoch === null ? null : Number(row.epoch),
  }
}

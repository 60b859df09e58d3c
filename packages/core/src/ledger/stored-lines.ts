import { type Amounts, assetOf, type Bucket, type EntryKind, type Mark, type UnknownReason } from '@svc/contract/book'
import type { SQL } from 'drizzle-orm'
import { core } from '../db/drizzle.ts'
import { ask, type Row, timeOf, timeOrNull, type Work, type WorkDatabase } from '../db/work.ts'
import { unpackAmounts } from './amounts.ts'
import type { BookRow } from './books.ts'
import type { NewEntry } from './close.ts'

const { sql } = core()

/** Flags of a line: it is complete; it was superseded. */
export const COMPLETE = 1
export const SUPERSEDED = 2

/** An entry with its place in the book. */
export interface BookedEntry extends NewEntry {
  readonly line: number
  /** Its number in the line; of a reward of the line, which is kept with the line, `r` and the place of its bucket. */
  readonly name: string
  readonly corrects: string | null
  readonly bookedAt: Date
}

/** A line as it is kept: in rows, or with others in a page. */
export interface StoredLine {
  readonly n: number
  readonly mark: Mark
  readonly closing: Amounts
  /** Rewards by bucket, which have no entries of their own. */
  readonly rewards: Amounts
  /** Number of the line whose closing is its opening; null: it is the first. */
  readonly opening: number | null
  readonly flags: number
  /** Reasons why the line is not complete; `not_declared` of one that is: it leaves assets out. */
  readonly reasons: readonly UnknownReason[]
  /** Source of the reading: 0: the failover; otherwise the number of the endpoint. */
  readonly source: number
  readonly bookedAt: Date
  readonly entries: readonly BookedEntry[]
}

/** Range of lines, by their numbers, and by the chain's time of their readings. */
export interface LineRange {
  /** Number of the last line before them. @default none */
  readonly after?: number | undefined
  /** Earliest time, inclusive. */
  readonly from?: Date | undefined
  /** Latest time, exclusive. */
  readonly to?: Date | undefined
  /** Most lines. @default all */
  readonly limit?: number | undefined
}

/** Lines of a book, and the keys of its buckets, by their places. */
export interface StoredLines {
  readonly lines: readonly StoredLine[]
  readonly keys: readonly string[]
}

/** Reads lines that are rows still, with their entries, in their order. */
export function* rowsOfLines(database: WorkDatabase, book: BookRow, { after = -1, from, to, limit }: LineRange): Work<StoredLines> {
  const rows = yield* ask(sql`
    select l.*, b.keys, m.height, m.hash, m.at, m.epoch from svc_lines l join svc_marks m on m.id = l.mark join svc_books b on b.id = l.book
    where l.book = ${book.id} and l.n > ${after} ${given(from, (time) => sql`and l.at >= ${database.at(time)}`)}
      ${given(to, (time) => sql`and l.at < ${database.at(time)}`)}
    order by l.n ${given(limit, (most) => sql`limit ${most}`)}`)
  const numbers = rows.map(({ n }) => Number(n))
  const keys = keysOf(rows)
  if (numbers.length === 0) return { lines: [], keys }
  const entries = yield* ask(sql`
    select * from svc_entries where book = ${book.id} and line >= ${Math.min(...numbers)} and line <= ${Math.max(...numbers)} order by line, n`)
  const byLine = new Map<number, BookedEntry[]>()
  for (const entry of entries.map(entryOf)) {
    const list = byLine.get(entry.line)
    if (list) list.push(entry)
    else byLine.set(entry.line, [entry])
  }
  return { lines: rows.map((row) => lineOf(row, keys, byLine.get(Number(row.n)) ?? [])), keys }
}

/**
 * Returns the keys of a book from rows of its lines: they are read in the statement that reads the lines, as a line that was written after the book was read may
 * name a key that the book did not have.
 */
export function keysOf([row]: readonly Row[]): readonly string[] {
  return row === undefined ? [] : (JSON.parse(String(row.keys)) as string[])
}

/** Makes the reward entries of a line, one for each bucket, from the amounts that are kept with the line. */
export function rewardsOf(
  { n, mark, rewards, bookedAt }: StoredLine,
  keys: readonly string[],
  buckets: readonly Bucket[],
): readonly BookedEntry[] {
  return Object.entries(rewards).map(([key, amount]) => ({
    line: n,
    name: `r${keys.indexOf(key)}`,
    kind: 'reward',
    amount,
    from: 'chain',
    to: key,
    asset: assetOf(key, buckets),
    height: mark.height,
    time: mark.time,
    tx: null,
    index: null,
    reason: null,
    corrects: null,
    bookedAt,
  }))
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

function lineOf(row: Row, keys: readonly string[], entries: readonly BookedEntry[]): StoredLine {
  return {
    n: Number(row.n),
    mark: markOf(row),
    closing: unpackAmounts(row.closing as Uint8Array, keys),
    rewards: row.rewards === null ? {} : unpackAmounts(row.rewards as Uint8Array, keys),
    opening: row.opening === null ? null : Number(row.opening),
    flags: Number(row.flags),
    reasons: row.reasons === null ? [] : (String(row.reasons).split(' ') as UnknownReason[]),
    source: Number(row.source),
    bookedAt: timeOf(row.booked_at),
    entries,
  }
}

/** Reads a row of `svc_entries`. */
function entryOf(row: Row): BookedEntry {
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

function given<T>(value: T | undefined, clause: (value: T) => SQL): SQL {
  return value === undefined ? sql`` : clause(value)
}

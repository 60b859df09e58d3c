import type { SQL } from 'drizzle-orm'
import { core } from './drizzle.ts'
import { ask, type Row, type WorkDatabase, type WorkRunner } from './work.ts'

const { sql } = core()

/** Pace at which reads of unknown cost use this process and its database, so that other work has its turn. */
export interface Pace {
  /** Time that one statement should take, in milliseconds. */
  readonly sliceMs: number
  /** Waits between two statements. */
  pause(): Promise<void>
}

/** Reads of an ordered list, each in one statement. */
interface Slices<Place, Found> {
  /** Finds the place after `skip` others behind `from`. @returns null: there are fewer */
  place(from: Place | undefined, skip: number): Promise<Place | null>
  /** Finds the rows behind `from`, up to and including `edge`, that pass the filter. */
  find(from: Place | undefined, edge: Place | undefined, limit: number): Promise<readonly Found[]>
}

/** What was found, in order. */
interface Sliced<Place, Found> {
  readonly rows: readonly Found[]
  /** Place at which the time was over; null: as many rows as asked for were found, or there are no more. */
  readonly cutOff: Place | null
}

/** Time for which a page is searched, in milliseconds; a search that needs more goes on with the cursor. */
export const PAGE_MS = 100
/** Number of rows that the first statement searches (`FIRST`), and the most that any statement does; otherwise as many as the time allows. */
const FIRST = 1_000
const MOST = 32_000

/**
 * Searches rare rows in as many short statements as it takes, so that one search occupies neither the database nor this process for long, and can end when its time is
 * over.
 *
 * @param options.from place behind which the search begins
 * @param options.patienceMs for how long, in milliseconds
 */
export async function readInSlices<Place, Found>(
  { sliceMs, pause }: Pace,
  { place, find }: Slices<Place, Found>,
  options: { readonly from: Place | undefined; readonly limit: number; readonly patienceMs: number },
): Promise<Sliced<Place, Found>> {
  const { limit, patienceMs } = options
  const began = performance.now()
  const rows: Found[] = []
  let { from } = options
  let size = FIRST
  while (true) {
    await pause()
    const slice = performance.now()
    const edge = (await place(from, size - 1)) ?? undefined
    rows.push(...(await find(from, edge, limit - rows.length)))
    if (rows.length >= limit || edge === undefined) return { rows, cutOff: null }
    if (performance.now() - began > patienceMs) return { rows, cutOff: edge }
    from = edge
    const pace = sliceMs / Math.max(performance.now() - slice, 0.1)
    size = Math.round(Math.min(Math.max(size * Math.min(Math.max(pace, 0.25), 4), 100), MOST))
  }
}

/** A store, as far as lists are read from it. */
export interface ListStore extends Pick<WorkRunner, 'run'> {
  readonly pace: Pace
}

/** Value of the column by which a list is ordered. */
type ListPlace = string | number

/** Query for a part of a list that is ordered by one column, whose values are unique. */
interface ListQuestion {
  readonly columns: SQL
  readonly from: SQL
  /** Column by which the list is ordered. */
  readonly by: SQL
  readonly order: 'newest first' | 'oldest first'
  /** Conditions for whose rows an index has this order. */
  readonly scope: readonly SQL[]
  /** Further conditions, which are checked row by row. */
  readonly rest: readonly SQL[]
  /** Place behind which the part begins. */
  readonly behind: ListPlace | undefined
  readonly limit: number
}

/** A page of rows. */
interface ListPage {
  readonly rows: readonly Row[]
  /** Place behind which the next page begins; null: this was the last one. A page of which the search ran out of time has fewer rows than asked for, or none. */
  readonly next: ListPlace | null
}

/** Reads a page of a list: in one statement where an index has exactly its rows, else in slices. */
export async function readList({ run, pace }: ListStore, questionOf: (database: WorkDatabase) => ListQuestion): Promise<ListPage> {
  await pace.pause()
  const { whole, behind, limit } = await run(function* (database) {
    const question = questionOf(database)
    const isIndexed = question.rest.length === 0
    const rows = isIndexed ? yield* ask(pageOf(question, question.behind, undefined, question.limit + 1)) : null
    return { whole: rows, behind: question.behind, limit: question.limit }
  })
  const slices = {
    place: async (from: ListPlace | undefined, skip: number) => {
      const [row] = await run((database) => ask(placeOf(questionOf(database), from, skip)))
      return row === undefined ? null : (row.place as ListPlace)
    },
    find: (from: ListPlace | undefined, edge: ListPlace | undefined, most: number) =>
      run((database) => ask(pageOf(questionOf(database), from, edge, most))),
  }
  const options = { from: behind, limit: limit + 1, patienceMs: PAGE_MS }
  const { rows, cutOff } = whole ? { rows: whole, cutOff: null } : await readInSlices(pace, slices, options)
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next: rows.length > limit && last ? (last.place as ListPlace) : cutOff }
}

function pageOf(question: ListQuestion, from: ListPlace | undefined, edge: ListPlace | undefined, most: number): SQL {
  const { columns, by, order, rest } = question
  const within = edge === undefined ? [] : [sql`${by} ${order === 'newest first' ? sql`>=` : sql`<=`} ${edge}`]
  return statement(sql`${columns}, ${by} as place`, question, from, [...within, ...rest], sql`${most}`)
}

function placeOf(question: ListQuestion, from: ListPlace | undefined, skip: number): SQL {
  return statement(sql`${question.by} as place`, question, from, [], sql`1 offset ${skip}`)
}

function statement(
  what: SQL,
  { from: table, by, order, scope }: ListQuestion,
  from: ListPlace | undefined,
  others: readonly SQL[],
  most: SQL,
): SQL {
  const [past, direction] = order === 'newest first' ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`]
  const conditions = [...scope, ...(from === undefined ? [] : [sql`${by} ${past} ${from}`]), ...others]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  return sql`select ${what} from ${table} ${where} order by ${by} ${direction} limit ${most}`
}

/**
 * Writes a column so that its condition does not choose the index: the embedded database has no statistics for a good choice.
 *
 * @see https://www.sqlite.org/optoverview.html (read 2026-11-22)
 */
export function aside({ dialect }: WorkDatabase, column: SQL): SQL {
  return dialect === 'sqlite' ? sql`+${column}` : column
}

import { core } from '../db/drizzle.ts'
import { ask, type Row, type Work, type WorkDatabase } from '../db/work.ts'
import type { BookRow } from './books.ts'
import { PAGE_LINES, packPage, unpackPage } from './pages.ts'
import { keysOf, type LineRange, rowsOfLines, type StoredLine, type StoredLines } from './stored-lines.ts'

const { sql } = core()

/** Pages that are read in one go. */
const PAGES_AT_ONCE = 16

/** Packs the oldest rows of a book into pages, each as soon as it is full. @param before number of the first line that may still be changed, or an interval begin with */
export function* turnPages(database: WorkDatabase, book: BookRow, before: number): Work<void> {
  const [row] = yield* ask(sql`select min(n) as first from svc_lines where book = ${book.id}`)
  const first = Number(row?.first)
  const full = Math.floor((before - first) / PAGE_LINES)
  for (let page = 0; page < full; page++) yield* turnPage(database, book, first + page * PAGE_LINES)
}

function* turnPage(database: WorkDatabase, book: BookRow, first: number): Work<void> {
  const { lines } = yield* rowsOfLines(database, book, { after: first - 1, limit: PAGE_LINES })
  // Never fewer than are deleted: a line that is not read stays a row, with those around it.
  if (lines.length !== PAGE_LINES || lines.at(-1)?.n !== first + PAGE_LINES - 1) return
  const times = lines.map(({ mark }) => mark.time.getTime())
  const last = first + lines.length - 1
  yield* ask(sql`
    insert into svc_pages (book, first_line, last_line, from_at, until_at, body)
    values (${book.id}, ${first}, ${last}, ${database.at(new Date(Math.min(...times)))}, ${database.at(new Date(Math.max(...times)))}, ${packPage(lines)})
    returning first_line`)
  yield* ask(sql`delete from svc_entries where book = ${book.id} and line >= ${first} and line <= ${last} returning n`)
  const rows = yield* ask(sql`delete from svc_lines where book = ${book.id} and n >= ${first} and n <= ${last} returning mark`)
  const marks = sql.join(
    [...new Set(rows.map(({ mark }) => Number(mark)))].map((mark) => sql`${mark}`),
    sql`, `,
  )
  // Another book may be about to write a line of one of these blocks: it holds the row until its line is there for the next statement to see.
  yield* ask(sql`select id from svc_marks where id in (${marks}) order by id ${database.exclusive}`)
  yield* ask(sql`
    delete from svc_marks where id in (${marks}) and not exists (select 1 from svc_lines where mark = svc_marks.id) returning id`)
}

/** Reads lines that are in pages, in their order. @returns more than the limit where a page has more */
export function* linesOfPages(
  database: WorkDatabase,
  book: BookRow,
  { after = -1, from, to, limit = Number.MAX_SAFE_INTEGER }: LineRange,
): Work<StoredLines> {
  const lines: StoredLine[] = []
  const isWithin = ({ n, mark: { time } }: StoredLine) =>
    n > after && (from === undefined || time >= from) && (to === undefined || time < to)
  for (let last = after; ; ) {
    const rows: readonly Row[] = yield* ask(sql`
      select p.last_line, p.body, b.keys from svc_pages p join svc_books b on b.id = p.book
      where p.book = ${book.id} and p.last_line > ${last} ${from === undefined ? sql`` : sql`and p.until_at >= ${database.at(from)}`}
        ${to === undefined ? sql`` : sql`and p.from_at < ${database.at(to)}`}
      order by p.first_line limit ${PAGES_AT_ONCE}`)
    for (const { body, last_line } of rows) {
      lines.push(...unpackPage(body as Uint8Array).filter(isWithin))
      last = Number(last_line)
    }
    if (rows.length < PAGES_AT_ONCE || lines.length >= limit) return { lines, keys: keysOf(rows) }
  }
}

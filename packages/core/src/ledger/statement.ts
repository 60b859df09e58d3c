import type { Bucket } from '@svc/contract/book'
import type { WorkRunner } from '../db/work.ts'
import type { BookRow } from './books.ts'
import { type BookFilter, type BookLine, findBooks, linesOf } from './read.ts'

/** Selection of the lines of a statement. */
interface StatementFilter extends BookFilter {
  /** By the chain's time of the reading that a line ends with: not before, and before. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  /** The last line of the part before. */
  readonly after?: StatementPlace | undefined
}

/** A line among those of all books, which come in the order in which the books were opened. */
export interface StatementPlace {
  readonly book: number
  readonly line: number
}

/** A line with its book. */
export interface StatementLine {
  readonly book: BookRow
  readonly line: BookLine
}

/** Books, and lines of one, that are read in one go: what is in memory stays the same, however long a statement is. */
const BOOKS = 200
const LINES = 500

/** Iterates over the lines of books, each with its entries. @param bucketsOf the buckets that a book's plugin declares */
export async function* statementLines(
  store: Pick<WorkRunner, 'run'>,
  { from, to, after: place, ...filter }: StatementFilter,
  bucketsOf: (book: BookRow) => readonly Bucket[],
): AsyncGenerator<StatementLine> {
  // The book of the place is gone on with, so that it is found once more.
  for (let after = place === undefined ? 0 : place.book - 1; ; ) {
    const books = await store.run((database) => findBooks(database, filter, { after, limit: BOOKS }))
    for (const book of books) {
      for (let last = place?.book === book.id ? place.line : -1; ; ) {
        const lines = await store.run((database) => linesOf(database, book, bucketsOf(book), { from, to, after: last, limit: LINES }))
        for (const line of lines) yield { book, line }
        if (lines.length < LINES) break
        last = lines.at(-1)?.n ?? last
      }
    }
    const last = books.at(-1)
    if (last === undefined || books.length < BOOKS) return
    after = last.id
  }
}

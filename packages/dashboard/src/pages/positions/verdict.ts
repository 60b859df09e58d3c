import type { PositionDetail } from '../../api/positions.ts'
import { decimalText } from '../../text/decimal.ts'
import { type DayCounts, type History, lastRead, plural, totalOf } from './history.ts'

/** Verdict on a wallet's book, as a figure of the same rank as its money. */
interface Verdict {
  readonly word: string
  readonly look: 'ok' | 'warn' | 'bad'
  readonly note: string
}

/** Judges a book by what it says of itself and by its days: an open amount comes first, then what is not known, and only then that it adds up. */
export function verdictOf({ book }: Pick<PositionDetail, 'book'>, { all, missing, complete, unexplained }: DayCounts): Verdict {
  if (book === null) return { word: 'No book yet', look: 'warn', note: 'it begins with the first reading' }
  const gaps = missing === 0 ? '' : `${plural(missing, 'day')} not read, `
  const note = `${gaps}${complete} of ${plural(all, 'day')} whole`
  if (unexplained > 0 || /[1-9]/.test(book.unexplained)) return { word: 'Unexplained', look: 'bad', note }
  if (!book.complete) return { word: 'Incomplete', look: 'warn', note }
  return { word: 'Adds up', look: 'ok', note }
}

/** Returns what nothing explains: of the days at hand, or what the book says of the last 30 where these are older. */
export function openAmountOf({ book }: Pick<PositionDetail, 'book'>, { days, places }: Pick<History, 'days' | 'places'>): string {
  const open = days.reduce((sum, { unexplained }) => sum + unexplained, 0n)
  return open === 0n ? (book?.unexplained ?? '0') : decimalText(open, places)
}

/** Works out which part of what was read last earns, in percent with two places, cut; null where there is nothing. */
export function shareOf(history: History): string | null {
  const last = lastRead(history)
  const total = last === undefined ? null : totalOf(last)
  const earning = last?.amounts?.[history.roles.indexOf('earning')]
  if (total === null || earning === undefined || total <= 0n) return null
  return decimalText((earning * 10_000n) / total, 2)
}

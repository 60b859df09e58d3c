import type { BucketAmount, PositionBucket, PositionDay, PositionDetail } from '../../api/positions.ts'
import type { EntryKind, StatementEntry } from '../../api/statements.ts'
import { placesOf, unitsOf } from '../../text/decimal.ts'
import { directionOf } from '../positions/operations.ts'
import { daysBetween, nextDay, type Period } from './period.ts'

/** Ends of a statement: its opening reading and its closing one, by their days. */
interface Ends {
  readonly opening: PositionDay
  readonly closing: PositionDay
  /** First day whose readings count: later than that of the period where the book begins within it. */
  readonly from: string
}

/** Reason why there is no statement of a period: there is no book, it begins after the period or on its last day, or the days before the period are not served any more. */
export type NoEnds = 'no_book' | 'later' | 'first_day' | 'too_far'

/** Finds the readings that a period lies between: the last ones of a day before it, and of a day before its end. */
export function endsOf({ book, days }: Pick<PositionDetail, 'book' | 'days'>, { from, to }: Period): Ends | NoEnds {
  if (book === null) return 'no_book'
  const reads = days.filter(({ buckets }) => buckets !== null)
  const closing = reads.findLast(({ day }) => day < to)
  if (closing === undefined) return book.opened_at.slice(0, 10) >= to ? 'later' : 'too_far'
  const before = reads.findLast(({ day }) => day < from)
  if (before !== undefined) return { opening: before, closing, from }
  const [first] = reads
  if (first === undefined || book.opened_at.slice(0, 10) < from) return 'too_far'
  if (first.day === closing.day) return 'first_day'
  // What happened on its first day, before the last reading of it, is in no statement.
  return { opening: first, closing, from: nextDay(first.day) }
}

/** Sum of the entries of a kind, as they change the whole position. Units have as many places as the sheet. */
interface KindLine {
  readonly kind: EntryKind
  readonly count: number
  readonly units: bigint
}

/** A bucket with its ends. */
interface BucketLine {
  /** Such as `exit:7`. */
  readonly key: string
  readonly opening: bigint
  readonly change: bigint
  readonly closing: bigint
  /** True if it counts shares or another asset, in base units of its own, and is in no sum. */
  readonly isUnits: boolean
}

/** A statement, as it is shown: everything that is said of whether it adds up is worked out from these rows. */
export interface Sheet {
  readonly places: number
  readonly opening: bigint
  readonly closing: bigint
  readonly kinds: readonly KindLine[]
  readonly buckets: readonly BucketLine[]
  /** Number of entries that moved units within the position. */
  readonly inside: number
  /** What came past the position, such as rewards that are paid right to the wallet. */
  readonly past: { readonly count: number; readonly units: bigint }
  /** Number of entries that were taken back, or take back: they are in no row. */
  readonly takenBack: number
  readonly days: { readonly all: number; readonly read: number }
  readonly isWhole: boolean
}

/** Kinds whose absence is the statement: they stand with 0. */
const ALWAYS: readonly EntryKind[] = ['withdrawal', 'slash', 'rounding', 'unexplained']
/** Order of the kinds. */
const ORDER: readonly EntryKind[] = [
  ...(['deposit', 'transfer_in', 'reward', 'block_revenue', 'revaluation', 'claim', 'compound', 'activation', 'redelegation'] as const),
  ...([
    'exit_requested',
    'exit_cancelled',
    'withdrawal',
    'transfer_out',
    'tokenize',
    'fee',
    'rent_adjustment',
    'slash',
    'rounding',
  ] as const),
  'unexplained',
]

/** Picks the entries that stand: neither taken back, nor taking back. */
export function standing(entries: readonly StatementEntry[]): readonly StatementEntry[] {
  return entries.filter(({ superseded, corrects }) => !superseded && corrects === null)
}

/**
 * Makes the rows of a statement.
 *
 * @param entries of the readings from `ends.from` on, before the end of the period
 * @param today in UTC: days that have not begun are not missing
 */
export function sheetOf(
  { days, buckets }: Pick<PositionDetail, 'days' | 'buckets'>,
  entries: readonly StatementEntry[],
  ends: Ends,
  period: Period,
  today: string,
): Sheet {
  const rows = standing(entries)
  const natives = rows.filter(({ asset }) => asset === 'native')
  const both = [...(ends.opening.buckets ?? []), ...(ends.closing.buckets ?? [])]
  const places = placesOf([...both, ...rows].map(({ amount }) => amount))
  const units = (entry: { readonly amount: string | null }) => unitsOf(entry.amount, places) ?? 0n
  const lines = bucketLines(ends, rows, buckets, places)
  const sum = (of: (line: BucketLine) => bigint) => lines.reduce((total, line) => (line.isUnits ? total : total + of(line)), 0n)
  const kinds = ORDER.flatMap((kind): readonly KindLine[] => {
    const all = natives.filter((entry) => entry.kind === kind && directionOf(entry) !== 0)
    if (all.length === 0 && !ALWAYS.includes(kind)) return []
    return [{ kind, count: all.length, units: all.reduce((total, entry) => total + BigInt(directionOf(entry)) * units(entry), 0n) }]
  })
  const isOutside = ({ from, to }: StatementEntry) => directionOf({ from, to: 'wallet' }) === 0 && directionOf({ from: 'wallet', to }) === 0
  const still = natives.filter((entry) => directionOf(entry) === 0)
  const past = still.filter(isOutside)
  const end = period.to <= today ? period.to : nextDay(today)
  const own = days.filter(({ day }) => day >= ends.from && day < end)
  return {
    places,
    opening: sum(({ opening }) => opening),
    closing: sum(({ closing }) => closing),
    kinds,
    buckets: lines,
    inside: still.length - past.length,
    past: { count: past.length, units: past.reduce((total, entry) => total + units(entry), 0n) },
    takenBack: entries.length - rows.length,
    days: { all: Math.max(0, daysBetween(ends.from, end)), read: own.filter(({ buckets: amounts }) => amounts !== null).length },
    isWhole: rows.every(({ complete }) => complete),
  }
}

function bucketLines(
  { opening, closing }: Ends,
  rows: readonly StatementEntry[],
  buckets: readonly PositionBucket[],
  places: number,
): readonly BucketLine[] {
  const keys = new Set([...buckets.filter(({ role }) => role !== 'units' && role !== 'foreign').map(({ name }) => name)])
  const used = [...(opening.buckets ?? []), ...(closing.buckets ?? [])].map(({ bucket }) => bucket)
  const moves = rows.flatMap(({ from, to }) => [from, to]).filter((place) => buckets.some(({ name }) => name === place.split(':')[0]))
  const isUsed = (key: string) => used.includes(key) || moves.includes(key)
  // A bucket whose parts are named has none of its own.
  const bare = [...keys].filter((key) => isUsed(key) || ![...used, ...moves].some((each) => each.startsWith(`${key}:`)))
  const all = [...new Set([...bare, ...used, ...moves])]
  const at = (name: string) => buckets.findIndex((bucket) => bucket.name === name.split(':')[0])
  return all
    .toSorted((one, other) => at(one) - at(other) || (one < other ? -1 : 1))
    .map((key) => {
      const role = buckets[at(key)]?.role
      const isUnits = role === 'units' || role === 'foreign'
      const units = (entry: Pick<BucketAmount, 'amount' | 'amount_base'> | undefined) =>
        entry === undefined ? 0n : isUnits ? BigInt(entry.amount_base) : (unitsOf(entry.amount, places) ?? 0n)
      const amountIn = (day: PositionDay) => units(day.buckets?.find(({ bucket }) => bucket === key))
      const change = rows.reduce(
        (sum, entry) => sum + (entry.to === key ? units(entry) : 0n) - (entry.from === key ? units(entry) : 0n),
        0n,
      )
      return { key, opening: amountIn(opening), change, closing: amountIn(closing), isUnits }
    })
}

/** Verdict on a statement. */
export interface Proof {
  /** `differs`: rows and readings are not of one book, so that none of them may be used. */
  readonly verdict: 'adds' | 'incomplete' | 'unexplained' | 'differs'
  /** Opening and entries less closing, in units of the sheet; of the first bucket that does not add up. 0 where all do. */
  readonly rest: bigint
  /** Key of that bucket; null: all add up by themselves. */
  readonly bucket: string | null
}

/** Adds up the rows that are shown: in all, in each bucket, and one with the other. */
export function proofOf({
  opening,
  closing,
  kinds,
  buckets,
  days,
  isWhole,
}: Pick<Sheet, 'opening' | 'closing' | 'kinds' | 'buckets' | 'days' | 'isWhole'>): Proof {
  const wrong = buckets.find((line) => line.opening + line.change !== line.closing)
  if (wrong !== undefined) return { verdict: 'differs', rest: wrong.opening + wrong.change - wrong.closing, bucket: wrong.key }
  const rest = opening + kinds.reduce((sum, { units }) => sum + units, 0n) - closing
  if (rest !== 0n) return { verdict: 'differs', rest, bucket: null }
  const isOpen = kinds.some(({ kind, count }) => kind === 'unexplained' && count > 0)
  if (isOpen) return { verdict: 'unexplained', rest: 0n, bucket: null }
  return { verdict: isWhole && days.read === days.all ? 'adds' : 'incomplete', rest: 0n, bucket: null }
}

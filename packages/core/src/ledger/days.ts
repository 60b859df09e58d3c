import type { Amounts, Bucket, EntryKind } from '@svc/contract/book'
import { earnedIn, type Interval, intervalsOf, rateOfAll } from './intervals.ts'
import type { BookLine } from './read.ts'

const DAY_MS = 86_400_000
/** Least time that a rate is computed of, in milliseconds: the rewards of a few days, which come by epochs, say little about a year. */
const LEAST_RATE_MS = 7 * DAY_MS

/** A day of a book, in UTC. Amounts in base units of the native asset. */
interface BookDay {
  /** Such as `2026-11-28`. */
  readonly day: string
  /** Amounts by bucket at the day's last reading; null: there was none. */
  readonly closing: Amounts | null
  /** What the stake has earned; null: nothing is known of the day. */
  readonly earned: bigint | null
  /** Everything that the day's readings show is explained. */
  readonly isComplete: boolean
  readonly unexplained: bigint
  readonly slashed: bigint
}

/** Lists the days of a book in their order, with those in which nothing was read. @param to the last day, which it lists too, unless the last reading is of a later one */
export function daysOf(lines: readonly BookLine[], to: Date): readonly BookDay[] {
  const standing = lines.filter(({ isSuperseded }) => !isSuperseded)
  const intervals = new Map(intervalsOf(lines, 'day').map((interval) => [dayOf(interval.closing.mark.time), interval]))
  const closings = new Map(standing.map(({ mark, closing }) => [dayOf(mark.time), closing]))
  const [first, last] = [standing[0], standing.at(-1)]
  const days: BookDay[] = []
  if (first === undefined || last === undefined) return days
  // The clock of a chain may be ahead of ours, as that of a local chain that was moved.
  const end = Math.max(to.getTime(), last.mark.time.getTime())
  for (let at = Date.parse(dayOf(first.mark.time)); at <= end; at += DAY_MS) {
    const day = dayOf(new Date(at))
    const interval = intervals.get(day)
    days.push({
      day,
      closing: closings.get(day) ?? null,
      earned: interval === undefined ? null : earnedIn(interval),
      isComplete: interval?.complete ?? false,
      unexplained: interval === undefined ? 0n : unexplainedIn(lines, day),
      slashed: interval === undefined ? 0n : sumOf(interval, 'slash'),
    })
  }
  return days
}

/** Earnings of the last days of a book. Amounts in base units of the native asset. */
export interface Earned {
  /** null: no interval is known. */
  readonly earned: bigint | null
  /** Number of days whose readings are explained whole. */
  readonly days: number
  /** Annual rate in percent, over those days; null: they are fewer than a week, or nothing was staked. */
  readonly rate: string | null
  readonly isComplete: boolean
  readonly unexplained: bigint
  readonly isSlashed: boolean
}

/** Sums up the lines of a book. */
export function earnedOf(lines: readonly BookLine[], buckets: readonly Bucket[]): Earned {
  const intervals = intervalsOf(lines, 'day')
  const whole = intervals.filter(({ complete }) => complete)
  const ms = whole.reduce((sum, { opening, closing }) => sum + closing.mark.time.getTime() - opening.mark.time.getTime(), 0)
  return {
    earned: intervals.length === 0 ? null : intervals.reduce((sum, interval) => sum + earnedIn(interval), 0n),
    days: whole.length,
    rate: ms < LEAST_RATE_MS ? null : rateOfAll(whole, buckets),
    isComplete: whole.length === intervals.length,
    unexplained: unexplainedIn(lines),
    isSlashed: intervals.some((interval) => sumOf(interval, 'slash') > 0n),
  }
}

/** Sums amounts that nothing explains, whichever way they went, of a day or of all lines: two that went opposite ways are not nothing. */
function unexplainedIn(lines: readonly BookLine[], day?: string): bigint {
  return lines
    .filter(({ isSuperseded, mark }) => !isSuperseded && (day === undefined || dayOf(mark.time) === day))
    .flatMap(({ entries }) => entries)
    .reduce(
      (sum, { kind, asset, amount, corrects }) => (kind === 'unexplained' && asset === 'native' && corrects === null ? sum + amount : sum),
      0n,
    )
}

function sumOf({ sums }: Interval, only: EntryKind): bigint {
  return sums.reduce((sum, { kind, asset, amount }) => (kind === only && asset === 'native' ? sum + amount : sum), 0n)
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

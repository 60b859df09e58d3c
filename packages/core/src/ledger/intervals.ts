import { type Amounts, type Bucket, bucketName, type EntryKind, type UnknownReason } from '@svc/contract/book'
import type { BookLine } from './read.ts'
import { earns } from './roles.ts'
import type { BookedEntry } from './stored-lines.ts'

/** Spans into which lines are gathered. */
export type Span = 'epoch' | 'day' | 'month'

/** Lines of one span, as one. */
export interface Interval {
  /** The reading that it begins with, and the one that it ends with. */
  readonly opening: BookLine
  readonly closing: BookLine
  /** Sums of entries by kind and asset, in base units; those that were taken back, and take back, are not among them. */
  readonly sums: readonly Sum[]
  readonly complete: boolean
  readonly reasons: readonly UnknownReason[]
}

/** Sum of all entries of a kind and an asset. */
export interface Sum {
  readonly kind: EntryKind
  readonly asset: string
  /** Base units; below zero where more has left the position than has come to it, of a kind that goes both ways. */
  readonly amount: bigint
}

/** Kinds whose entries both add to a position and take from it; an entry of any other kind says by its kind alone which way its units went. */
const BOTH_WAYS: readonly EntryKind[] = ['revaluation', 'rounding', 'rent_adjustment', 'unexplained']
/** Kinds by which stake earns: what the chain pays, and what the price of shares brings or takes. */
const EARNED: readonly EntryKind[] = ['reward', 'revaluation']
/** Places outside of a position. */
const OUTSIDE: readonly string[] = ['wallet', 'chain', 'others', 'unknown']

/** Milliseconds of a year of 365 days, as annual rates are quoted. */
const YEAR_MS = 31_536_000_000n
/** Digits behind the point of a rate in percent. */
const RATE_DIGITS = 6

/**
 * Groups the lines of a book into spans of UTC by the time of each line's closing reading: a reward belongs to the span whose reading shows it first, and is not spread.
 *
 * @param lines of one book in their order, each with the line that its opening is; a line whose opening is missing is left out
 */
export function intervalsOf(lines: readonly BookLine[], span: Span): readonly Interval[] {
  const byNumber = new Map(lines.map((line) => [line.n, line]))
  const groups = new Map<string, BookLine[]>()
  for (const line of lines) {
    if (line.isSuperseded || line.opening === null || !byNumber.has(line.opening)) continue
    const name = spanOf(line, span)
    groups.set(name, [...(groups.get(name) ?? []), line])
  }
  return [...groups.values()].flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)]
    const opening = first?.opening == null ? undefined : byNumber.get(first.opening)
    return opening && last ? [intervalOf(opening, last, group)] : []
  })
}

/** Sums entries by kind and asset; what was taken back, and what takes it back, is left out of what stands. */
function sumsOf(lines: readonly BookLine[]): readonly Sum[] {
  const sums = new Map<string, Sum>()
  for (const line of lines) {
    if (line.isSuperseded) continue
    for (const entry of line.entries) {
      if (entry.corrects !== null) continue
      const { kind, asset, amount } = addendOf(entry)
      const name = `${kind} ${asset}`
      sums.set(name, { kind, asset, amount: (sums.get(name)?.amount ?? 0n) + amount })
    }
  }
  return [...sums.values()]
}

/** Returns an entry as it counts in a sum: with its amount below zero where units of a kind that goes both ways left a bucket of the position. */
export function addendOf({ kind, asset, amount, from }: Pick<BookedEntry, 'kind' | 'asset' | 'amount' | 'from'>): Sum {
  return { kind, asset, amount: BOTH_WAYS.includes(kind) && !OUTSIDE.includes(from) ? -amount : amount }
}

/**
 * Computes the annual rate at which stake has earned: rewards, and what the price of shares has brought, by the mean of the stake that earned at both ends. It is net of every fee, since rewards
 * are what arrives.
 *
 * @returns percent as exact decimal text; null where it is not known, or nothing earned
 */
export function rateOf(interval: Interval, buckets: readonly Bucket[]): string | null {
  return interval.complete ? rateOfAll([interval], buckets) : null
}

/** Computes the annual rate of several intervals, each of which counts by its stake and its length; as `rateOf`. */
export function rateOfAll(intervals: readonly Interval[], buckets: readonly Bucket[]): string | null {
  const weights = intervals.map(({ opening, closing }) => {
    const stake = stakeOf(opening.closing, buckets) + stakeOf(closing.closing, buckets)
    return stake * BigInt(closing.mark.time.getTime() - opening.mark.time.getTime())
  })
  const weight = weights.reduce((sum, each) => sum + each, 0n)
  if (weight <= 0n) return null
  const earned = intervals.reduce((sum, interval) => sum + earnedIn(interval), 0n)
  const scaled = (earned * 2n * 100n * 10n ** BigInt(RATE_DIGITS) * YEAR_MS) / weight
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(RATE_DIGITS + 1, '0')
  return `${scaled < 0n ? '-' : ''}${digits.slice(0, -RATE_DIGITS)}.${digits.slice(-RATE_DIGITS)}`
}

/** Sums what stake has earned in an interval, in base units of the native asset. */
export function earnedIn({ sums }: Pick<Interval, 'sums'>): bigint {
  return sums.reduce((sum, { kind, asset, amount }) => (EARNED.includes(kind) && asset === 'native' ? sum + amount : sum), 0n)
}

function stakeOf(amounts: Amounts, buckets: readonly Bucket[]): bigint {
  return Object.entries(amounts).reduce((sum, [key, amount]) => {
    const bucket = buckets.find(({ name }) => name === bucketName(key))
    return bucket !== undefined && earns(bucket) ? sum + amount : sum
  }, 0n)
}

function intervalOf(opening: BookLine, closing: BookLine, lines: readonly BookLine[]): Interval {
  const reasons = [...new Set(lines.flatMap((line) => line.reasons))]
  return { opening, closing, sums: sumsOf(lines), complete: lines.every(({ isComplete }) => isComplete), reasons }
}

function spanOf({ mark, n }: BookLine, span: Span): string {
  if (span === 'epoch') return mark.epoch === null ? `line ${n}` : String(mark.epoch)
  return mark.time.toISOString().slice(0, span === 'day' ? 10 : 7)
}

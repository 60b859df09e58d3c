import type { BucketRole, PositionDetail } from '../../api/positions.ts'
import { count } from '../../text/amount.ts'
import { inWhole } from '../../text/column.ts'
import { decimalText, placesOf, unitsOf } from '../../text/decimal.ts'

/** Parts of a position that are stacked, from the bottom up: in the order of life, never by size. Units of shares are in none, since another bucket holds what they are worth. */
const STACKED = ['earning', 'activating', 'leaving', 'withdrawable', 'unclaimed'] as const satisfies readonly BucketRole[]

/** Part of a position that is stacked. */
export type StackedRole = (typeof STACKED)[number]

/** Names of the parts. */
export const ROLE_WORDS: Readonly<Record<StackedRole, string>> = {
  earning: 'Earning',
  activating: 'Activating',
  leaving: 'Leaving',
  withdrawable: 'Withdrawable',
  unclaimed: 'Unclaimed',
}

/** A day of a wallet, in units with as many places as the whole history has. */
export interface HistoryDay {
  /** Such as `2026-11-28`. */
  readonly day: string
  /** Amounts by part, in the order of the history's parts; null: nothing was read that day. */
  readonly amounts: readonly bigint[] | null
  /** null: nothing is known of it. */
  readonly earned: bigint | null
  readonly unexplained: bigint
  readonly slashed: bigint
  readonly complete: boolean
}

/** Days of a wallet, oldest first. */
export interface History {
  /** Parts that the protocol has, from the bottom up. */
  readonly roles: readonly StackedRole[]
  /** Digits behind the point of all units. */
  readonly places: number
  readonly days: readonly HistoryDay[]
}

/**
 * Reads the days of a wallet exactly, from their decimal text; amounts of another asset than the native one are left out, and today, as long as nothing was read today.
 *
 * @param today in UTC, such as `2026-11-28`
 */
export function historyOf({ days: all, buckets }: Pick<PositionDetail, 'days' | 'buckets'>, today: string): History {
  const days = all.filter(({ day, buckets: amounts }) => amounts !== null || day < today)
  const texts = days.flatMap((day) => [day.earned, day.unexplained, day.slashed, ...(day.buckets ?? []).map(({ amount }) => amount)])
  // One more than there are, so that a step of the scale can be a half.
  const places = placesOf(texts) + 1
  const units = (text: string | null) => unitsOf(text, places) ?? 0n
  const roles = STACKED.filter((role) => buckets.some((bucket) => bucket.role === role))
  const roleOf = (key: string) => buckets.find(({ name }) => name === key.split(':')[0])?.role
  return {
    roles,
    places,
    days: days.map(({ day, buckets: amounts, earned, unexplained, slashed, complete }) => ({
      day,
      amounts:
        amounts === null
          ? null
          : roles.map((role) => amounts.reduce((sum, each) => (roleOf(each.bucket) === role ? sum + units(each.amount) : sum), 0n)),
      earned: earned === null ? null : units(earned),
      unexplained: units(unexplained),
      slashed: units(slashed),
      complete,
    })),
  }
}

/** Adds up the parts of a day; null: it was not read. */
export function totalOf({ amounts }: Pick<HistoryDay, 'amounts'>): bigint | null {
  return amounts === null ? null : amounts.reduce((sum, amount) => sum + amount, 0n)
}

/** Finds the last day on which something was read. */
export function lastRead({ days }: History): HistoryDay | undefined {
  return days.findLast(({ amounts }) => amounts !== null)
}

/** Days by what is known of them. */
export interface DayCounts {
  readonly all: number
  readonly missing: number
  readonly complete: number
  readonly unexplained: number
}

/** Counts days by what is known of them. */
export function countDays({ days }: History): DayCounts {
  return {
    all: days.length,
    missing: days.filter(({ amounts }) => amounts === null).length,
    complete: days.filter(({ complete }) => complete).length,
    unexplained: days.filter(({ unexplained }) => unexplained !== 0n).length,
  }
}

/** Says a history in a sentence, for whoever does not see its drawing; null where nothing was read. @param dayText writes a day in words */
export function captionOf(history: History, symbol: string, dayText: (day: string) => string): string | null {
  const { days, places } = history
  const reads = days.flatMap((day) => {
    const total = totalOf(day)
    return total === null ? [] : [{ day: day.day, total }]
  })
  const [first, last] = [reads[0], reads.at(-1)]
  if (first === undefined || last === undefined) return null
  const most = reads.reduce((largest, each) => (each.total > largest.total ? each : largest), first)
  const whole = (units: bigint) => inWhole(decimalText(units, places)).text
  const { all, missing, unexplained } = countDays(history)
  return [
    `${plural(all, 'day')}: from ${whole(first.total)} to ${whole(last.total)} ${symbol}`.trimEnd(),
    `most ${whole(most.total)} on ${dayText(most.day)}`,
    missing === 0 ? 'each was read' : `${plural(missing, 'day')} not read`,
    unexplained === 0 ? 'all explained' : `${plural(unexplained, 'day')} with something unexplained`,
  ].join('; ')
}

/** Says a day in a sentence: its parts, what was earned, and what is not as usual. @param write writes a day in words */
export function dayText(
  { roles, places }: History,
  { day, amounts, earned, unexplained, slashed }: HistoryDay,
  write: (day: string) => string,
): string {
  if (amounts === null) return `${write(day)}: not read`
  const texts = [
    ...roles.map((role, place) => `${ROLE_WORDS[role].toLowerCase()} ${decimalText(amounts[place] ?? 0n, places)}`),
    earned === null ? 'rewards not known' : `rewards ${decimalText(earned, places)}`,
    unexplained === 0n ? null : `unexplained ${decimalText(unexplained, places)}`,
    slashed === 0n ? null : `slashed ${decimalText(slashed, places)}`,
  ]
  return `${write(day)}: ${texts.filter((text) => text !== null).join(', ')}`
}

/** Writes a number of things: `1 day`, `2 days`. @param many the noun for several, where it is not the one with an s */
export function plural(number: number, noun: string, many = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : many}`
}

const DAY_MS = 86_400_000

/** Length of a period. */
type PeriodKind = 'month' | 'quarter' | 'year'

/** A period of whole days in UTC. */
export interface Period {
  /** As the query has it: `2026-10`, `2026-Q4`, `2026`. */
  readonly text: string
  readonly kind: PeriodKind
  /** First day, such as `2026-10-01`. */
  readonly from: string
  /** Day after the last one. */
  readonly to: string
}

/** Lengths to choose from. */
export const PERIOD_KINDS = [
  { value: 'month', label: 'Month' },
  { value: 'quarter', label: 'Quarter' },
  { value: 'year', label: 'Year' },
] as const satisfies readonly { readonly value: PeriodKind; readonly label: string }[]

const MONTHS: Readonly<Record<PeriodKind, number>> = { month: 1, quarter: 3, year: 12 }

/** Reads a period; what is none is the month of today. @param today in UTC, such as `2026-11-28` */
export function periodOf(text: string | null, today: string): Period {
  const [, year, quarter, month] = /^(20\d\d)(?:-Q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(text ?? '') ?? []
  if (year === undefined) return periodAt('month', today)
  if (quarter !== undefined) return periodAt('quarter', `${year}-${String(Number(quarter) * 3).padStart(2, '0')}-01`)
  return month === undefined ? periodAt('year', `${year}-01-01`) : periodAt('month', `${year}-${month}-01`)
}

/** Returns the period of a length that a day lies in. */
export function periodAt(kind: PeriodKind, day: string): Period {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1]
  const first = month - (month % MONTHS[kind])
  const text = kind === 'month' ? day.slice(0, 7) : kind === 'quarter' ? `${year}-Q${first / 3 + 1}` : String(year)
  return { text, kind, from: dayText(Date.UTC(year, first)), to: dayText(Date.UTC(year, first + MONTHS[kind])) }
}

/** Returns the period before, or after. */
export function besides({ kind, from, to }: Period, step: 1 | -1): Period {
  return periodAt(kind, step === 1 ? to : dayText(Date.parse(from) - DAY_MS))
}

/** Lists the latest periods of a length, the newest first, with the one at hand. */
export function latest({ kind, text, from, to }: Period, today: string, many = 13): readonly Period[] {
  const periods: Period[] = []
  for (let each = periodAt(kind, today); periods.length < many; each = besides(each, -1)) periods.push(each)
  return periods.some((each) => each.text === text) ? periods : [...periods, { kind, text, from, to }]
}

/** Names a period: `October 2026`, `4th quarter of 2026`. */
export function periodName({ kind, text, from }: Pick<Period, 'kind' | 'text' | 'from'>): string {
  if (kind === 'year') return text
  if (kind === 'quarter') return `${['1st', '2nd', '3rd', '4th'][Number(text.at(-1)) - 1]} quarter of ${text.slice(0, 4)}`
  return MONTH.format(new Date(from))
}

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Counts the days from one to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** Returns the day after. */
export function nextDay(day: string): string {
  return dayText(Date.parse(day) + DAY_MS)
}

function dayText(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Life of a key: days, a day that is named, never; `kept` leaves the end that it has. */
export type Life = '30' | '90' | '365' | 'date' | 'never' | 'kept'

/** Choice of an end: `day` is of a calendar, as 2027-01-31, and counts for `date` alone. */
export interface Expiry {
  readonly life: Life
  readonly day: string
}

/** Expiry with which a new key begins. */
export const FIRST_EXPIRY: Expiry = { life: '90', day: '' }

/** The choices for a new key. */
export const LIVES: readonly { readonly value: Life; readonly label: string }[] = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 365 days' },
  { value: 'date', label: 'On a date' },
  { value: 'never', label: 'Never' },
]

const DAY_MS = 86_400_000

/**
 * Computes the moment from which the key is refused, in ISO-8601: null is never, undefined is that the choice is not finished.
 *
 * @param now in milliseconds since 1970
 * @param utc whether a day is one of UTC, else of the reader's zone
 * @param previous the end that the key has
 */
export function endOf({ life, day }: Expiry, now: number, utc: boolean, previous: string | null = null): string | null | undefined {
  if (life === 'kept') return previous
  if (life === 'never') return null
  if (life === 'date') return dayAfter(day, utc)?.toISOString()
  return new Date(now + Number(life) * DAY_MS).toISOString()
}

/** Writes the day of an instant as a date field wants it, `2030-12-31`. @param now in milliseconds since 1970 @param utc false: in the reader's zone */
export function dayText(now: number, utc: boolean): string {
  const date = new Date(now)
  const parts = utc
    ? [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
    : [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((each, place) => String(each).padStart(place === 0 ? 4 : 2, '0')).join('-')
}

/** The first moment after a day: the key works through the whole of it. */
function dayAfter(day: string, utc: boolean): Date | undefined {
  const [, year, month, date] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(day) ?? []).map(Number)
  if (year === undefined || month === undefined || date === undefined) return
  return utc ? new Date(Date.UTC(year, month - 1, date + 1)) : new Date(year, month - 1, date + 1)
}

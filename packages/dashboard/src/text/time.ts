/**
 * Form of an instant: `time` is 02:38:38, `minute` 02:38, `weekday` Sun 22, `date` 22 Nov 2026, `both` 22 Nov 2026, 02:38:38, `day` Sunday 22 November
 * 2026.
 */
export type TimeForm = 'time' | 'minute' | 'weekday' | 'date' | 'both' | 'day'

const FORMS: Readonly<Record<TimeForm, Intl.DateTimeFormatOptions>> = {
  time: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  minute: { hour: '2-digit', minute: '2-digit' },
  weekday: { weekday: 'short', day: 'numeric' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  both: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
}
const formats = new Map<string, Intl.DateTimeFormat>()

/** Writes an instant in words. @param zone an IANA name; undefined is the reader's own */
export function timeText(instant: Date, form: TimeForm, zone?: string): string {
  const text = formatOf(form, zone).format(instant)
  // Some browsers' tables write a comma after the weekday.
  return form === 'day' || form === 'weekday' ? text.replace(',', '') : text
}

/** Names the zone at an instant in short: CET, GMT+2, UTC. */
export function zoneName(instant: Date, zone?: string): string {
  if (zone === 'UTC') return 'UTC'
  const key = `zone ${zone ?? ''}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short', ...(zone ? { timeZone: zone } : {}) })
  formats.set(key, format)
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}

/**
 * Says how long ago or ahead: `2 minutes ago`, `in 41 days`. @param exactFrom from how far, in milliseconds, there is none, and the date is shown instead
 */
export function relativeText(instant: Date, now: number, exactFrom = Number.POSITIVE_INFINITY): string | null {
  const distance = instant.getTime() - now
  if (Math.abs(distance) >= exactFrom) return null
  const [unit, length] = UNITS.find(([, each]) => Math.abs(distance) >= each) ?? ['second', 1000]
  if (unit === 'second' && Math.abs(distance) < 10_000) return 'just now'
  return RELATIVE.format(Math.trunc(distance / length), unit)
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

function formatOf(form: TimeForm, zone: string | undefined): Intl.DateTimeFormat {
  const key = `${form} ${zone ?? ''}`
  const earlier = formats.get(key)
  if (earlier) return earlier
  // British: the day before the month, and 24 hours.
  const format = new Intl.DateTimeFormat('en-GB', { ...FORMS[form], ...(zone ? { timeZone: zone } : {}) })
  formats.set(key, format)
  return format
}

import { timeText } from './time.ts'

/** Writes a day in UTC in words, whatever zone the page shows: `28 Nov 2026`. @param day such as `2026-11-28` */
export function utcDay(day: string): string {
  return timeText(new Date(`${day}T00:00:00.000Z`), 'date', 'UTC')
}

import { timeText } from './time.ts'

/** Zones differ by quarters of an hour at the least, so what begins within the same one is the same day. */
const QUARTER = 15 * 60_000
const cache = new Map<string, string>()

/** Writes the day of an instant as a heading, in the reader's zone or in UTC. Ten thousand rows ask for it at a time, so it is remembered by the quarter of an hour. */
export function dayOf(time: string, utc: boolean): string {
  const at = Date.parse(time)
  const key = `${utc ? 'u' : 'l'}${Math.floor(at / QUARTER)}`
  const heading = cache.get(key) ?? timeText(new Date(at), 'day', utc ? 'UTC' : undefined)
  cache.set(key, heading)
  return heading
}

/** Looks double their distance up to this, in milliseconds. */
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

/** How long, in milliseconds, until a transaction is looked at again. */
export function lookAfter(
  {
    looks,
    ageMs,
    endsInMs,
  }: {
    /** How often it was looked at. */
    readonly looks: number
    /** Since it was first seen. */
    readonly ageMs: number
    /** Until it is expected to end by itself; null: it does not, or it is not known when. */
    readonly endsInMs: number | null
  },
  inclusionMs: number,
): number {
  const every = ageMs >= WEEK_MS ? DAY_MS : ageMs >= DAY_MS ? HOUR_MS : MINUTE_MS
  const next = every === MINUTE_MS ? Math.min(MINUTE_MS, inclusionMs * 2 ** Math.min(Math.max(0, looks - 1), 16)) : every
  // Soon after its end, so that whoever waits for that waits no longer.
  return endsInMs !== null && endsInMs > 0 && endsInMs < next ? endsInMs + Math.min(inclusionMs, next - endsInMs) : next
}

/** How long until something is tried again that has failed so often in a row, in milliseconds. */
export function retryAfter(failures: number, firstMs: number): number {
  return Math.min(HOUR_MS, firstMs * 2 ** Math.min(failures - 1, 20))
}

/** How long a transaction is looked for that may never come, in milliseconds. */
export const PATIENCE_MS = DAY_MS

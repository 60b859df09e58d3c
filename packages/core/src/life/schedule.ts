/** Interval up to which the pauses between looks double, in milliseconds; where only a hash is known, they double up to an hour. */
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WEEK_MS = 7 * DAY_MS

/** Returns the time, in milliseconds, until a transaction is looked at again. */
export function lookAfter(
  {
    looks,
    ageMs,
    endsInMs,
    isHearsay = false,
  }: {
    /** Number of looks at the transaction so far. */
    readonly looks: number
    /** Time since the transaction was first seen, in milliseconds. */
    readonly ageMs: number
    /** Time until the transaction is expected to end by itself, in milliseconds; null: it does not, or the time is not known. */
    readonly endsInMs: number | null
    /** True if only the hash of the transaction is known, and no node has ever shown it: anybody can make up any number of such hashes. */
    readonly isHearsay?: boolean
  },
  inclusionMs: number,
): number {
  const often = isHearsay ? HOUR_MS : MINUTE_MS
  const every = ageMs >= WEEK_MS ? DAY_MS : ageMs >= DAY_MS ? HOUR_MS : often
  const next = ageMs < DAY_MS ? Math.min(often, inclusionMs * 2 ** Math.min(Math.max(0, looks - 1), 16)) : every
  // Soon after its end, so that whoever waits for that waits no longer.
  return endsInMs !== null && endsInMs > 0 && endsInMs < next ? endsInMs + Math.min(inclusionMs, next - endsInMs) : next
}

/** Returns the time, in milliseconds, until a task is tried again that has failed so often in a row. */
export function retryAfter(failures: number, firstMs: number): number {
  return Math.min(HOUR_MS, firstMs * 2 ** Math.min(failures - 1, 20))
}

/** Time for which the service looks for a transaction that may never appear, in milliseconds. */
export const PATIENCE_MS = DAY_MS

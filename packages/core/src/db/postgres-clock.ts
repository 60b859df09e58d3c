import type { Log } from './store.ts'

/** The database's clock, known from its last answer. */
export interface DatabaseClock {
  now(): Date
  /** @param began `performance.now()` before the database was asked for its time */
  set(theirs: Date, began: number): void
}

/** From this difference on, in milliseconds, the machine's clock is called wrong. */
const WRONG_MS = 5_000

/** Makes a clock that follows the database's time. Between two answers it runs on a monotonic clock, so that this machine's own time does not matter. */
export function createDatabaseClock(log: Log): DatabaseClock {
  let base = Date.now() - performance.now()
  let warned = false
  return {
    now: () => new Date(base + performance.now()),
    set(theirs, began) {
      base = theirs.getTime() - (began + performance.now()) / 2
      const skewMs = Math.round(Date.now() - performance.now() - base)
      const wrong = Math.abs(skewMs) > WRONG_MS
      if (wrong && !warned) log.warn({ skewMs }, "this machine's clock differs from the database's, by which keys expire")
      warned = wrong
    },
  }
}

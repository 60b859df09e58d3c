import type { SQL } from 'drizzle-orm'
import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import type { StreamPlace } from './transactions.ts'

const { sql } = core()
const DAY_MS = 86_400_000

/**
 * How far ahead a row may be due, in milliseconds, by its column: twice the longest that is planned here, a day for looks and comparisons (`schedule.ts`,
 * `digest-round.ts`) and 30 for readings without a reason (`position-stream.ts`), nine eighths of one for books (`book-stream.ts`). What a chain says of when a position changes has no such bound.
 */
const FARTHEST_MS = {
  svc_transactions: { next_at: 2 * DAY_MS },
  svc_watches: { compare_at: 2 * DAY_MS, sweep_at: 60 * DAY_MS },
  svc_books: { next_at: 2 * DAY_MS, sweep_at: 3 * DAY_MS },
} as const

/**
 * Makes due what was planned while the clock was ahead: it would be followed by nobody until that time has come.
 *
 * @returns how many rows
 */
export function* bringBack(database: WorkDatabase, places: readonly StreamPlace[]): Work<number> {
  let count = 0
  for (const { protocol, network } of places)
    for (const [table, columns] of Object.entries(FARTHEST_MS))
      for (const [column, ms] of Object.entries(columns)) {
        const at: SQL = sql.raw(column)
        const rows = yield* ask(sql`
          update ${sql.raw(table)} set ${at} = ${database.now}
          where protocol = ${protocol} and network = ${network} and ${at} > ${database.later(ms)} returning id`)
        count += rows.length
      }
  return count
}

import { core } from '../db/drizzle.ts'
import { ask, timeOf, timeOrNull, type Work, type WorkDatabase, type WorkRunner } from '../db/work.ts'
import type { Networks } from './networks.ts'
import type { StreamPlace } from './transactions.ts'

const { sql } = core()

/**
 * From this age of the oldest due row on, in milliseconds, following is late: five leases of a dead process's rows, and as long as the longest pause after looks
 * that failed (`RETRY_MOST_MS` of the transaction stream).
 */
const LATE_MS = 300_000

/** Lateness with which transactions and positions are followed, whichever process follows them. */
export interface Lateness {
  /** `unknown`: the database did not say. */
  readonly status: 'up' | 'late' | 'unknown'
  /** Time for which the oldest due row has been waiting, in milliseconds; 0: no row is due; null: not known. */
  readonly ms: number | null
}

/** Reads how late the rows that are due are. Never rejects. */
export type ReadLateness = () => Promise<Lateness>

/**
 * Makes the function that reads how late transactions and positions are followed: the age of the oldest row that is due, over all configured networks. Rows of a network that is configured no more are
 * left out, since nobody follows them. The function never rejects: where the database does not answer, it returns `unknown`.
 *
 * @param clock instead of the database's, for tests
 */
export function createLatenessReader(store: WorkRunner, networks: Pick<Networks, 'places'>, clock: (() => Date) | undefined): ReadLateness {
  return async () => {
    try {
      const ms = await store.run((database) => oldestDue(database, networks.places()), { now: clock })
      return { status: latenessOf(ms), ms }
    } catch {
      return { status: 'unknown', ms: null }
    }
  }
}

/** Tells whether rows that are due for so many milliseconds are followed late. */
export function latenessOf(ms: number): 'up' | 'late' {
  return ms >= LATE_MS ? 'late' : 'up'
}

/**
 * Finds how long the oldest row has been due.
 *
 * @returns milliseconds since the oldest row was due, by the database's clock: an index says it of each network, whatever the number of rows
 */
function* oldestDue(database: WorkDatabase, places: readonly StreamPlace[]): Work<number> {
  if (places.length === 0) return 0
  const values = sql.join(
    places.map(({ protocol, network }) => sql`(${protocol}, ${network})`),
    sql`, `,
  )
  const there = sql`protocol = p.protocol and network = p.network`
  const rows = yield* ask(sql`
    with p (protocol, network) as (values ${values})
    select ${database.now} as now,
      (select min(next_at) from svc_transactions where ${there} and next_at is not null) as transactions,
      (select min(due_at) from svc_watches where ${there} and due_at is not null) as positions
    from p`)
  const ages = rows.flatMap(({ now, transactions, positions }) =>
    [transactions, positions].map((each) => {
      const at = timeOrNull(each)
      return at === null ? 0 : timeOf(now).getTime() - at.getTime()
    }),
  )
  return Math.max(0, ...ages)
}

import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import type { StreamPlace } from './transactions.ts'

const { sql } = core()

/** Of which networks something is due. */
export interface Due extends StreamPlace {
  readonly transactions: boolean
  readonly positions: boolean
}

/** One short statement, whatever the number of rows: it is asked each second. */
export function* findDue(database: WorkDatabase, places: readonly StreamPlace[]): Work<readonly Due[]> {
  if (places.length === 0) return []
  const { now } = database
  const free = sql`(lease_until is null or lease_until <= ${now})`
  const values = sql.join(
    places.map(({ protocol, network }) => sql`(${protocol}, ${network})`),
    sql`, `,
  )
  const there = sql`protocol = p.protocol and network = p.network`
  const rows = yield* ask<{ protocol: string; network: string; transactions: unknown; positions: unknown }>(sql`
    with p (protocol, network) as (values ${values})
    select p.protocol, p.network,
      exists (select 1 from svc_transactions where ${there} and next_at <= ${now} and ${free}) as transactions,
      (exists (select 1 from svc_watches where ${there} and due_at <= ${now} and ${free})
        or exists (select 1 from svc_watches where ${there} and compare_at <= ${now} and ${free})
        or exists (select 1 from svc_watches where ${there} and sweep_at <= ${now} and ${free})) as positions
    from p`)
  // SQLite has no truth but 1.
  return rows.map(({ transactions, positions, ...place }) => ({
    ...place,
    transactions: transactions === true || transactions === 1,
    positions: positions === true || positions === 1,
  }))
}

import { core } from '../db/drizzle.ts'
import { isFree } from '../db/leases.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import type { StreamPlace } from './transactions.ts'
import { type Watch, watchOf } from './watches.ts'

const { sql } = core()

/**
 * Takes watches whose digests are to be compared within so long: for the time of the lease nobody else takes them, and then they are due again. Where a digest was
 * not told, the time until it is asked for again is waited for.
 */
export function* claimComparisons(
  database: WorkDatabase,
  { protocol, network }: StreamPlace,
  { most, leaseMs, withinMs }: { readonly most: number; readonly leaseMs: number; readonly withinMs: number },
): Work<readonly Watch[]> {
  const rows = yield* ask(sql`
    update svc_watches set lease_until = ${database.later(leaseMs)}, fence = fence + 1
    where id in (select id from svc_watches where protocol = ${protocol} and network = ${network}
      and (compare_at <= ${database.now} or (failures = 0 and compare_at <= ${database.later(withinMs)}))
      and ${isFree(database, sql`lease_until`)} order by compare_at limit ${most} ${database.skipLocked})
    returning *`)
  return rows.map(watchOf)
}

/** Plans the next comparison of a position whose digest is the same. @param nextMs milliseconds until then */
export function* keepDigest(database: WorkDatabase, { id, fence }: Watch, nextMs: number): Work<void> {
  yield* ask(sql`
    update svc_watches set compare_at = ${database.later(nextMs)}, failures = 0, lease_until = null, fence = fence + 1
    where id = ${id} and fence = ${fence} and removed_at is null`)
}

/** Makes a position due for a whole reading, ahead of positions without a digest: its digest is another one, or has long not been told. */
export function* dropDigest(database: WorkDatabase, { id, fence }: Watch): Work<void> {
  yield* ask(sql`
    update svc_watches set digest = null, compare_at = null, sweep_at = ${database.now}, failures = 0, lease_until = null, fence = fence + 1
    where id = ${id} and fence = ${fence} and removed_at is null`)
}

/** Puts off the comparison of a position whose digest was not told, and counts the failure. @param ms milliseconds until the next one */
export function* postponeComparison(database: WorkDatabase, { id, fence }: Watch, ms: number): Work<void> {
  yield* ask(sql`
    update svc_watches set compare_at = ${database.later(ms)}, failures = failures + 1, lease_until = null, fence = fence + 1
    where id = ${id} and fence = ${fence} and removed_at is null`)
}

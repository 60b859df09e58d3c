import type { SQL } from 'drizzle-orm'
import { core } from './drizzle.ts'
import { ask, type Work, type WorkDatabase } from './work.ts'

const { sql } = core()

/** Right of one process at a time to run a task, such as a stream. It lapses by the database's clock unless it is renewed. */
export interface Lease {
  /** The task, such as `follow eip155:143 transactions`. */
  readonly name: string
  /** A text that no other process has, such as a ULID made at its start. */
  readonly owner: string
  /** Number that grows with each change of owner. A write under a lower number comes from a process that has lost the lease. */
  readonly fence: number
}

/**
 * Farthest end that a lease may have, in milliseconds from now: twice the longest lease that is taken here, a minute for a row. A lease that ends later was
 * taken while the clock was ahead, and its owner may be dead.
 */
export const FARTHEST_MS = 120_000

/** Writes the condition that a lease is free: it was never taken, its time is over, or it ends later than any lease may. @param until column with the end of the lease */
export function isFree({ now, later }: WorkDatabase, until: SQL): SQL {
  return sql`(${until} is null or ${until} <= ${now} or ${until} > ${later(FARTHEST_MS)})`
}

/** Takes a lease that is free, or whose time is over. @returns null: somebody has it */
export function* claimLease(database: WorkDatabase, name: string, owner: string, ms: number): Work<Lease | null> {
  const until = database.later(ms)
  const [row] = yield* ask<{ fence: number | string }>(sql`
    insert into svc_leases (name, owner, until, fence) values (${name}, ${owner}, ${until}, 1)
    on conflict (name) do update set owner = excluded.owner, until = excluded.until, fence = svc_leases.fence + 1
      where ${isFree(database, sql`svc_leases.until`)}
    returning fence`)
  return row ? { name, owner, fence: Number(row.fence) } : null
}

/** Extends a lease to some milliseconds from now. @returns false: it was lost to somebody else, and with it the right to write */
export function* renewLease(database: WorkDatabase, { name, owner, fence }: Lease, ms: number): Work<boolean> {
  const renewed = yield* ask(sql`
    update svc_leases set until = ${database.later(ms)}
    where name = ${name} and owner = ${owner} and fence = ${fence} returning name`)
  return renewed.length > 0
}

/** Gives a lease up, so that somebody else may take it at once. */
export function* releaseLease(database: WorkDatabase, { name, owner, fence }: Lease): Work<void> {
  yield* ask(sql`
    update svc_leases set until = ${database.now} where name = ${name} and owner = ${owner} and fence = ${fence} returning name`)
}

/**
 * Tells whether a lease is still held. Asked first in the transaction that writes under the lease, it also keeps everybody else from taking the lease before that
 * transaction ends.
 *
 * @returns false: nothing may be written
 */
export function* holdsLease(database: WorkDatabase, { name, owner, fence }: Lease): Work<boolean> {
  const rows = yield* ask(sql`
    select name from svc_leases where name = ${name} and owner = ${owner} and fence = ${fence} ${database.share}`)
  return rows.length > 0
}

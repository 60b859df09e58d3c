import { core } from './drizzle.ts'
import { ask, type Work, type WorkDatabase } from './work.ts'

const { sql } = core()

/** A task that one process at a time has: a runner of a stream, say. It lapses by the database's clock unless it is renewed. */
export interface Lease {
  /** The task, such as `follow eip155:143 transactions`. */
  readonly name: string
  /** A text that no other process has, such as a ULID made at its start. */
  readonly owner: string
  /** Grows with each change of owner. What was written under a lower one was written by somebody who has lost the lease. */
  readonly fence: number
}

/**
 * Takes a lease that nobody has, or whose time is over.
 *
 * @returns null: somebody has it
 */
export function* claimLease(database: WorkDatabase, name: string, owner: string, ms: number): Work<Lease | null> {
  const until = database.later(ms)
  const [taken] = yield* ask<{ fence: number | string }>(sql`
    insert into svc_leases (name, owner, until, fence) values (${name}, ${owner}, ${until}, 1)
    on conflict (name) do update set owner = excluded.owner, until = excluded.until, fence = svc_leases.fence + 1
      where svc_leases.until <= ${database.now}
    returning fence`)
  return taken ? { name, owner, fence: Number(taken.fence) } : null
}

/** @returns false: it was lost to somebody else, and with it the right to write */
export function* renewLease(database: WorkDatabase, { name, owner, fence }: Lease, ms: number): Work<boolean> {
  const renewed = yield* ask(sql`
    update svc_leases set until = ${database.later(ms)}
    where name = ${name} and owner = ${owner} and fence = ${fence} returning name`)
  return renewed.length > 0
}

/** Gives it up, so that somebody else may take it at once. */
export function* releaseLease(database: WorkDatabase, { name, owner, fence }: Lease): Work<void> {
  yield* ask(sql`
    update svc_leases set until = ${database.now} where name = ${name} and owner = ${owner} and fence = ${fence} returning name`)
}

/**
 * Whether a lease is still held, in the transaction that writes because of it: until that ends nobody else can take it. To be asked first.
 *
 * @returns false: nothing may be written
 */
export function* holdsLease(database: WorkDatabase, { name, owner, fence }: Lease): Work<boolean> {
  const held = yield* ask(sql`
    select name from svc_leases where name = ${name} and owner = ${owner} and fence = ${fence} ${database.share}`)
  return held.length > 0
}

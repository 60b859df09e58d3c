import type { SQL } from 'drizzle-orm'
import { core } from '../db/drizzle.ts'
import { isFree } from '../db/leases.ts'
import { ask, type Row, type Work, type WorkDatabase } from '../db/work.ts'

const { sql } = core()

/** Claim of rows. */
export interface Claim {
  readonly most: number
  /** Time for which nobody else takes a claimed row, in milliseconds; afterwards the row is due again. */
  readonly leaseMs: number
  /** The account that had the last turn. */
  readonly after: string
}

/** Rows that are to be claimed. */
interface Wanted {
  readonly table: 'svc_transactions' | 'svc_watches' | 'svc_books'
  /** Condition that makes a row due. */
  readonly due: SQL
  /** Order of the rows within one account. */
  readonly order: SQL
  /** Number of turns for which a row waits while rows of other accounts are taken. */
  readonly standsBack: SQL
}

/**
 * Takes rows that are due, one from each account and then another one from each, so that nobody waits for what another account has many of. Where there is
 * room for fewer rows than there are accounts, they take turns.
 */
export function* claimInTurns(database: WorkDatabase, { table, due, order, standsBack }: Wanted, claim: Claim): Work<readonly Row[]> {
  const { most, leaseMs, after } = claim
  const name = sql.raw(table)
  const condition = sql`${due} and ${isFree(database, sql`lease_until`)}`
  return yield* ask(sql`
    update ${name} set lease_until = ${database.later(leaseMs)}, fence = fence + 1
    where id in (select id from ${name} where id in
      (select id from (select id, account, row_number() over (partition by account order by ${order}) + ${standsBack} as turn
          from ${name} where ${condition}) as due
        order by turn, case when account > ${after} then 0 else 1 end, account limit ${most}) ${database.skipLocked}) and ${condition}
    returning *`)
}

/** Finds the account whose turn came last in a round of claims, with which the next round goes on. @param after the account with which the round before ended */
export function lastOf(accounts: readonly string[], after: string): string {
  const later = accounts.filter((account) => account > after)
  const earlier = accounts.filter((account) => account <= after)
  return (earlier.length > 0 ? earlier : later).toSorted().at(-1) ?? after
}

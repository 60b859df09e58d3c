import { membersOf } from '@svc/contract'
import type { SQL } from 'drizzle-orm'
import type { QueryConfig } from 'pg'
import { core, pgCore } from './drizzle.ts'
import { databaseFault } from './faults.ts'
import type { Connection, Connections } from './postgres-pool.ts'
import type { Row, Work, WorkDatabase, WorkOptions, WorkRunner } from './work.ts'

const { sql } = core()

/** Runner of work that can also run a transaction which begins with a statement whose values are bound by hand. */
interface PostgresWork extends WorkRunner {
  transact<T>(work: (database: WorkDatabase) => Work<T>, options?: WorkOptions & { readonly first?: QueryConfig }): Promise<T>
}

/** Number of attempts at a transaction that fails because of other transactions. */
const TRIES = 4

/**
 * Makes the runner of work on a pool of connections; a transaction is `read committed`. A transaction that the database ends because of a deadlock is run again. An error
 * of the database becomes a `databaseFault`; an error of the work itself passes unchanged.
 */
export function postgresWork(pool: Connections): PostgresWork {
  const { PgDialect } = pgCore()
  const dialect = new PgDialect()

  async function drive<T>(on: Connection, work: (database: WorkDatabase) => Work<T>, { now }: WorkOptions): Promise<T> {
    const running = work(databaseAt(now?.()))
    let step = running.next([])
    while (!step.done) step = running.next(await rowsOf(on, step.value))
    return step.value
  }

  async function rowsOf(on: Connection, statement: SQL): Promise<readonly Row[]> {
    const { sql: text, params } = dialect.sqlToQuery(statement)
    return (await asked(on.query<Row>(text, params))).rows
  }

  async function once<T>(
    work: (database: WorkDatabase) => Work<T>,
    { first, ...options }: WorkOptions & { first?: QueryConfig },
  ): Promise<T> {
    const client = await asked(pool.connect())
    let broken = true
    try {
      await asked(client.query('begin'))
      if (first) await asked(client.query(first))
      const outcome = await drive(client, work, options)
      await asked(client.query('commit'))
      broken = false
      return outcome
    } catch (error) {
      broken = await client.query('rollback').then(
        () => false,
        () => true,
      )
      throw error
    } finally {
      client.release(broken)
    }
  }

  return {
    run: (work, options = {}) => drive(pool, work, options),
    async transact(work, options = {}) {
      for (let tried = 1; ; tried++) {
        try {
          return await once(work, options)
        } catch (error) {
          if (tried >= TRIES || !isCrosswise(error)) throw error
        }
      }
    },
  }
}

/** Tells whether an error is `serialization_failure` or `deadlock_detected`. @see https://www.postgresql.org/docs/15/errcodes-appendix.html (read 2026-11-21) */
function isCrosswise(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined
  return ['40001', '40P01'].includes(String(membersOf(cause).code))
}

async function asked<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    throw databaseFault(error)
  }
}

function databaseAt(time: Date | undefined): WorkDatabase {
  // Columns have milliseconds, to which PostgreSQL rounds: rounded up, a moment would not have come yet.
  const now = time ? sql`${time.toISOString()}::timestamptz` : sql`date_trunc('milliseconds', clock_timestamp())`
  return {
    dialect: 'postgres',
    now,
    at: (other) => sql`${other.toISOString()}::timestamptz`,
    later: (ms) => sql`(${now} + ${Math.round(ms)} * interval '1 millisecond')`,
    share: sql`for share`,
    exclusive: sql`for no key update`,
    skipLocked: sql`for no key update skip locked`,
  }
}

import type pg from 'pg'
import { knownMigrations, type Migration, pendingMigrations } from './migrations.ts'

/** Any number, as long as every replica takes the same: the first eight bytes of "svc_migr". */
const LOCK = 0x7376635f6d696772n

/**
 * Applies what is missing in one transaction. Replicas that start together do it one after the other, and those who come
 * later find nothing left to do.
 *
 * @throws 503 `DATABASE_NEWER`
 */
export async function migratePostgres(client: pg.Client): Promise<void> {
  const known = knownMigrations('postgres')
  const started = await client.query<{ found: boolean }>(`select to_regclass('svc_migrations') is not null as found`)
  const isNew = !started.rows[0]?.found
  // Looked at without lock or statement that creates: a role without the right to create may run an up-to-date database.
  if (!isNew && (await pending(client, known)).length === 0) return
  await client.query('begin')
  try {
    await client.query('select pg_advisory_xact_lock($1)', [LOCK.toString()])
    // Another replica may have made it while this one waited. Asking `to_regclass` again would not tell: it may answer
    // from what this transaction had cached before the wait.
    if (isNew) {
      await client.query(
        `create table if not exists svc_migrations
           (at bigint primary key, hash text not null, applied_at timestamptz not null default now())`,
      )
    }
    for (const { at, hash, statements } of await pending(client, known)) {
      for (const statement of statements) await client.query(statement)
      await client.query('insert into svc_migrations (at, hash) values ($1, $2)', [at, hash])
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function pending(client: pg.Client, known: readonly Migration[]): Promise<readonly Migration[]> {
  const applied = await client.query<{ at: string }>('select at from svc_migrations')
  return pendingMigrations(
    known,
    applied.rows.map(({ at }) => Number(at)),
  )
}

import { setTimeout as pause } from 'node:timers/promises'
import { membersOf } from '@svc/contract'
import type pg from 'pg'
import type { Log } from './log.ts'
import { binds, knownMigrations, type Migration, pendingMigrations } from './migrations.ts'
import { noteSteps, postgresLayout, prepareNotes } from './postgres-layout.ts'
import { type IndexStep, type ShortStep, type Step, stepsOf } from './postgres-steps.ts'

/** Any number, as long as every replica and every version takes the same: the first eight bytes of "svc_migr". */
const LOCK = 0x7376635f6d696772n
/** Time that a statement may wait for a table, in milliseconds, while later requests for the table wait behind the statement. */
const LOCK_MS = 300
/** Pause before the next attempt to lock a table, in which others can use it, in milliseconds. */
const REST_MS = 400
/** Time after which the upgrade gives up, in milliseconds, so that somebody looks who holds the table; the steps that were made stay made. */
const PATIENCE_MS = 300_000
/** Interval at which a replica looks whether another replica is done, in milliseconds. */
const TURN_MS = 100

/** Options of an upgrade. */
interface PostgresMigrateOptions {
  readonly log: Log
  readonly known?: readonly Migration[]
  readonly patienceMs?: number
}

/**
 * Brings the layout up to date while other replicas, of this version or the one before, go on reading and writing: step by step, each with a lock that is short or blocks
 * no writes. Of replicas that start together, one does the work and the others find nothing left to do. An interrupted migration is continued by the next start.
 *
 * @throws 503 `DATABASE_NEWER`
 */
export async function migratePostgres(client: pg.Client, options: PostgresMigrateOptions): Promise<void> {
  const { log, known: migrations = knownMigrations('postgres') } = options
  // Looked at without lock or statement that creates: a role without the right to create may run an up-to-date database.
  if (await isUpToDate(client, migrations)) return
  // What a role may be limited to by its operator holds for requests. A holder of the lock that is lost with its machine lets go within a minute.
  await client.query('set statement_timeout = 0; set lock_timeout = 0; set tcp_keepalives_idle = 20; set tcp_keepalives_interval = 10')
  await takeTurn(client, log)
  try {
    const layout = await postgresLayout(client)
    if (layout === null) await makeLayout(client, migrations)
    else if (pendingMigrations(migrations, layout).length > 0) {
      await prepareNotes(client)
      for (const migration of pendingMigrations(migrations, layout)) await make(client, migration, options)
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK.toString()]).catch(() => {})
  }
}

async function isUpToDate(client: pg.Client, migrations: readonly Migration[]): Promise<boolean> {
  const layout = await postgresLayout(client)
  return layout !== null && pendingMigrations(migrations, layout).length === 0
}

/**
 * Waits for the lock by asking again and again: who waits within a statement has a view of the database that an index in the making waits for, and each would
 * wait for the other.
 */
async function takeTurn(client: pg.Client, log: Log): Promise<void> {
  for (let attempts = 0; ; attempts++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK.toString()])
    if (rows[0]?.taken) return
    if (attempts === 10) log.info({}, 'another replica is bringing the database up to date; this one waits for it')
    await pause(TURN_MS)
  }
}

/** Writes the whole layout into an empty database in one transaction: nobody uses it yet. */
async function makeLayout(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await transaction(client, async () => {
    await client.query(
      'create table svc_migrations (at bigint primary key, hash text not null, applied_at timestamptz not null default now())',
    )
    await prepareNotes(client)
    for (const migration of migrations) {
      for (const statement of migration.statements) await client.query(statement)
      if (binds(migration, migrations)) await bind(client, migration)
      if (migration !== migrations[0]) await noteSteps(client, migration, [], true)
    }
  })
}

async function make(client: pg.Client, migration: Migration, { log, patienceMs = PATIENCE_MS }: PostgresMigrateOptions): Promise<void> {
  const { tag, statements, needs } = migration
  await transaction(client, async () => {
    await noteSteps(client, migration, [])
    // Before it begins: from here on no version starts that needs what is being taken away.
    if (needs !== null) await bind(client, migration)
  })
  const objects = new Set((await postgresLayout(client))?.noted.find(({ at }) => at === migration.at)?.steps)
  for (const step of stepsOf(statements)) {
    if (step.names.every((name) => objects.has(name))) continue
    const began = performance.now()
    log.info({ migration: tag, step: describe(step) }, 'the layout of the database is being changed')
    await patiently(patienceMs, () => {
      const note = () => noteSteps(client, migration, step.names)
      if (step.kind === 'short') return makeShort(client, step, objects, note)
      return step.kind === 'index' ? buildIndex(client, step, note) : dropIndex(client, step.index).then(note)
    })
    log.debug({ migration: tag, step: describe(step), ms: Math.round(performance.now() - began) }, 'the layout of the database was changed')
  }
  await noteSteps(client, migration, [], true)
}

function makeShort(
  client: pg.Client,
  { names, statements }: ShortStep,
  objects: ReadonlySet<string>,
  note: () => Promise<void>,
): Promise<void> {
  return transaction(client, async () => {
    await client.query(`set local lock_timeout = ${LOCK_MS}`)
    // A version that cuts the steps in another way may have made some of them.
    for (const [place, statement] of statements.entries()) if (!objects.has(names[place] ?? '')) await client.query(statement)
    await note()
  })
}

/** Builds an index, from the beginning where one was cut off; the one whose place it takes is in use until then. */
async function buildIndex(client: pg.Client, { index, builtAs, statement }: IndexStep, note: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ valid: boolean }>(`select indisvalid as valid from pg_index where indexrelid = to_regclass($1)`, [
    builtAs,
  ])
  if (rows[0]?.valid === false) await dropIndex(client, builtAs)
  await client.query(statement)
  if (builtAs === index) return note()
  await dropIndex(client, index)
  await transaction(client, async () => {
    await client.query(`set local lock_timeout = ${LOCK_MS}`)
    await client.query(`alter index "${builtAs}" rename to "${index}"`)
    await note()
  })
}

async function dropIndex(client: pg.Client, index: string): Promise<void> {
  await client.query(`drop index concurrently if exists "${index}"`)
}

/** Asks again for what others hold. */
async function patiently(patienceMs: number, work: () => Promise<void>): Promise<void> {
  const end = performance.now() + patienceMs
  while (true) {
    try {
      return await work()
    } catch (error) {
      if (!isHeld(error)) throw error
      if (performance.now() > end) {
        const reason = `${(error as Error).message}, for ${Math.round(patienceMs / 1000)} s; pg_stat_activity shows which session has been in a transaction for so long`
        throw new Error(reason, { cause: error })
      }
      await pause(REST_MS)
    }
  }
}

/** Tells whether an error is `lock_not_available` or `deadlock_detected`. @see https://www.postgresql.org/docs/15/errcodes-appendix.html (read 2026-11-21) */
function isHeld(error: unknown): boolean {
  return ['55P03', '40P01'].includes(String(membersOf(error).code))
}

async function bind(client: pg.Client, { at, hash }: Migration): Promise<void> {
  await client.query('insert into svc_migrations (at, hash) values ($1, $2) on conflict (at) do nothing', [at, hash])
}

async function transaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

function describe(step: Step): string {
  return step.kind === 'short' ? step.about : `${step.kind === 'index' ? 'build' : 'drop'} index ${step.index}`
}

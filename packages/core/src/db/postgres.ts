import { isServiceError } from '@svc/contract'
import { answerWithin } from '@svc/contract/host'
import type pg from 'pg'
import { unavailable } from '../base/codes.ts'
import { present } from '../base/present.ts'
import { appendWith, statementOf } from './audit-statement.ts'
import { appendStatement } from './audit-unnest.ts'
import { CREDENTIAL_CHANNEL, credentialStore } from './credentials.ts'
import { databaseFault, databaseUnavailable } from './faults.ts'
import { createListeners } from './listeners.ts'
import { clientOf } from './postgres-address.ts'
import { createDatabaseClock, type DatabaseClock } from './postgres-clock.ts'
import { listen } from './postgres-listen.ts'
import { migratePostgres } from './postgres-migrate.ts'
import { openConnections } from './postgres-pool.ts'
import { postgresWork } from './postgres-work.ts'
import { createReads } from './reads.ts'
import { recordStore } from './records.ts'
import type { Log, Store } from './store.ts'

/** Longest waits for a connection (`CONNECT_MS`) and for an answer, in milliseconds: together less than the 5 s within which a revocation must be seen. */
const CONNECT_MS = 2_000
const QUERY_MS = 2_500
/** Longest wait for a read of the audit log, in milliseconds: it may search through much of the log. */
const READ_MS = 60_000
const PING_MS = 2_000
/** Time that one statement of a search should take before others have their turn on the connection, in milliseconds. */
const SLICE_MS = 30
/** One round trip and one transaction. The last statement reaches the disk, and the one row that it writes is updated in place. */
const PROBE = `
  select * from svc_credentials limit 20;
  insert into svc_audit select * from svc_audit where false;
  insert into svc_records (place, key, value, updated_at) values ('health', 'probe', '', now())
    on conflict (place, key) do update set updated_at = excluded.updated_at`

/**
 * Opens a PostgreSQL, for several replicas. Tables are made in the first schema of the connection's `search_path`, and all have the prefix `svc_`.
 *
 * @throws 503 `DATABASE_UNREACHABLE`, `DATABASE_NEWER`, `DATABASE_UNPREPARED`
 */
export async function openPostgres({ databaseUrl, log }: { readonly databaseUrl: string; readonly log: Log }): Promise<Store> {
  const config: pg.ClientConfig = {
    connectionString: databaseUrl,
    application_name: 'staking-transaction-service',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  const clock = createDatabaseClock(log)
  await prepare({ ...config, connectionTimeoutMillis: CONNECT_MS }, clock, log)

  const pool = openConnections({ ...config, max: 10 }, { connectMs: CONNECT_MS, queryMs: QUERY_MS }, log)
  const readPool = openConnections({ ...config, max: 2 }, { connectMs: CONNECT_MS, queryMs: READ_MS }, log)
  const listeners = createListeners(log)
  const subscription = await listen({
    config: { ...config, connectionTimeoutMillis: CONNECT_MS },
    channel: CREDENTIAL_CHANNEL,
    onNotice: listeners.tell,
    onGap: () => listeners.tell('*'),
    log,
  })
  let closing: Promise<void> | undefined

  const working = postgresWork(pool)

  return {
    dialect: 'postgres',

    ...credentialStore(working, listeners.tell, clock.set),
    async touchLastUsed(uses) {
      if (uses.length === 0) return
      // In one order everywhere, so that two replicas never wait for each other's rows crosswise.
      const sorted = [...uses].sort((a, b) => (a.ulid < b.ulid ? -1 : 1))
      await attempt(() =>
        pool.query(
          `with uses as (select ulid, max(at) as at from unnest($1::text[], $2::timestamptz[]) as u (ulid, at) group by ulid),
             locked as (select c.ulid, uses.at from svc_credentials c join uses using (ulid) order by c.ulid for update of c)
           update svc_credentials c set last_used_at = greatest(c.last_used_at, locked.at) from locked where c.ulid = locked.ulid`,
          [sorted.map(({ ulid }) => ulid), sorted.map(({ at }) => at.toISOString())],
        ),
      )
    },
    onCredentialChange: (listener) => listeners.add(listener),

    async appendAudit(records, also = []) {
      if (records.length === 0) return
      const { text, values } = appendStatement(records)
      if (also.length > 0) await working.transact((database) => appendWith(database, [statementOf(text, values)], also))
      else await attempt(async () => void (await pool.query(text, values)))
    },
    ...createReads(postgresWork(readPool), 'postgres', { sliceMs: SLICE_MS, pause: async () => {} }),
    ...recordStore(working),
    ...working,

    now: clock.now,
    ping: () => attempt(async () => void (await answerWithin(PING_MS, pool.query(PROBE), () => databaseUnavailable(undefined)))),
    async close() {
      closing ??= Promise.all([subscription.close(), pool.end(), readPool.end()]).then(() => {})
      await closing
    },
  }
}

async function prepare(config: pg.ClientConfig, clock: DatabaseClock, log: Log): Promise<void> {
  const client = clientOf(config)
  client.on('error', () => {})
  const where = `${client.host}:${client.port}/${client.database ?? ''}`
  try {
    await client.connect()
  } catch (err) {
    const reason = reasonOf(err)
    throw unavailable('DATABASE_UNREACHABLE', `PostgreSQL at ${where} does not take the connection: ${reason}.`, 5, err)
  }
  try {
    await migratePostgres(client, { log })
    const began = performance.now()
    const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
    clock.set(present(rows[0], 'the time of the database').now, began)
  } catch (err) {
    if (isServiceError(err)) throw err
    throw unavailable('DATABASE_UNPREPARED', `The database at ${where} cannot be brought up to date: ${reasonOf(err)}.`, 60, err)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Returns the reason of an error; several addresses of one host fail as one error without a message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

async function attempt<T>(work: () => PromiseLike<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw databaseFault(error)
  }
}

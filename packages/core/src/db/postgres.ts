import { isServiceError } from '@svc/contract'
import { answerWithin } from '@svc/contract/host'
import type { SQLWrapper } from 'drizzle-orm'
import pg from 'pg'
import { unavailable } from '../base/codes.ts'
import { present } from '../base/present.ts'
import { appendWith, statementOf } from './audit-statement.ts'
import { appendStatement } from './audit-unnest.ts'
import { ofAccount, ofScope } from './conditions.ts'
import { core, nodePostgres } from './drizzle.ts'
import { databaseFault, databaseUnavailable } from './faults.ts'
import { createListeners } from './listeners.ts'
import { clientOf } from './postgres-address.ts'
import { createDatabaseClock, type DatabaseClock } from './postgres-clock.ts'
import { listen } from './postgres-listen.ts'
import { migratePostgres } from './postgres-migrate.ts'
import { postgresReads } from './postgres-reads.ts'
import { postgresWork } from './postgres-work.ts'
import { credentials, records } from './schema-postgres.ts'
import type { Log, Store } from './store.ts'
import { type Also, ask, type Work, type WorkDatabase } from './work.ts'

const { and, eq, sql } = core()

/** Carries the ULID of a changed credential to every replica. */
const CHANNEL = 'svc_credential'
/** Class of the advisory locks under which credentials are counted: any number, the same in every replica. */
const COUNT_LOCK = 0x6b657973
/** Together under the 5 s within which a revocation must be seen: a slower answer is no answer. */
const CONNECT_MS = 2_000
const QUERY_MS = 2_500
/** Reading the audit log may search through much of it. */
const READ_MS = 60_000
const PING_MS = 2_000
/** One round trip and one transaction. The last statement reaches the disk, and the one row that it writes is updated in place. */
const PROBE = `
  select * from svc_credentials limit 20;
  insert into svc_audit select * from svc_audit where false;
  insert into svc_records (place, key, value, updated_at) values ('health', 'probe', '', now())
    on conflict (place, key) do update set updated_at = excluded.updated_at`

/**
 * PostgreSQL, for several replicas. Tables are made in the first schema of the connection's `search_path`, and all have the
 * prefix `svc_`.
 *
 * @throws 503 `DATABASE_UNREACHABLE`, `DATABASE_NEWER`, `DATABASE_UNPREPARED`
 */
export async function openPostgres({ databaseUrl, log }: { readonly databaseUrl: string; readonly log: Log }): Promise<Store> {
  const config: pg.ClientConfig = {
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'staking-transaction-service',
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }
  const clock = createDatabaseClock(log)
  await prepare(config, clock, log)

  const pool = openPool({ ...config, query_timeout: QUERY_MS, max: 10 }, log)
  const readPool = openPool({ ...config, query_timeout: READ_MS, max: 2 }, log)
  const db = nodePostgres().drizzle(pool)
  const listeners = createListeners(log)
  const subscription = await listen({ config, channel: CHANNEL, onNotice: listeners.tell, onGap: () => listeners.tell('*'), log })
  let closing: Promise<void> | undefined

  const changed = { ulid: credentials.ulid }
  const working = postgresWork(pool)
  /** One statement changes and notifies, so neither happens without the other. @returns whether there was anything to change */
  function* notifying(database: WorkDatabase, change: SQLWrapper, also: Also | undefined): Work<boolean> {
    const hit = yield* ask(sql`with changed as ${change} select pg_notify(${CHANNEL}, ulid) from changed`)
    if (hit.length > 0 && also) yield* also(database)
    return hit.length > 0
  }
  const changeOne = async (ulid: string, change: SQLWrapper, also: Also | undefined) => {
    const hasChanged = await (also ? working.transact : working.run)((database) => notifying(database, change, also))
    if (hasChanged) listeners.tell(ulid)
    return hasChanged
  }

  return {
    dialect: 'postgres',

    async insertCredential(credential, most, also) {
      const { account, kind } = credential
      const inserted = await working.transact(function* (database) {
        if (most !== undefined) {
          // One at a time for each account: two that count together would both find room.
          yield* ask(sql`select pg_advisory_xact_lock(${COUNT_LOCK}, hashtext(${`${kind} ${account}`}))`)
          const match = yield* ask(sql`${db.select(changed).from(credentials).where(ofAccount(credentials, credential)).limit(most)}`)
          if (match.length >= most) return false
        }
        return yield* notifying(database, db.insert(credentials).values(credential).returning(changed), also)
      })
      if (inserted) listeners.tell(credential.ulid)
      return inserted
    },
    findCredential: (ulid) =>
      attempt(async () => {
        const began = performance.now()
        // The time comes with the row that it decides on, and also where there is none.
        const [entry] = await db
          .select({ now: sql<Date>`t.now`.mapWith(credentials.createdAt), row: credentials })
          .from(sql`(select clock_timestamp() as now) as t`)
          .leftJoin(credentials, eq(credentials.ulid, ulid))
        if (entry) clock.set(entry.now, began)
        return entry?.row ?? null
      }),
    listCredentials: (account, kind, { limit, after }) =>
      attempt(() =>
        db.select().from(credentials).where(ofAccount(credentials, { account, kind, after })).orderBy(credentials.ulid).limit(limit),
      ),
    countCredentials: (account, kind) =>
      attempt(() =>
        db
          .select({ account: credentials.account, count: sql`count(*)`.mapWith(Number) })
          .from(credentials)
          .where(ofAccount(credentials, { account, kind }))
          .groupBy(credentials.account),
      ),
    async updateCredential(scope, changes, also) {
      if (Object.values(changes).every((value) => value === undefined)) {
        const rows = await attempt(() => db.select(changed).from(credentials).where(ofScope(credentials, scope)))
        return rows.length > 0
      }
      return changeOne(scope.ulid, db.update(credentials).set(changes).where(ofScope(credentials, scope)).returning(changed), also)
    },
    deleteCredential: (scope, also) =>
      changeOne(scope.ulid, db.delete(credentials).where(ofScope(credentials, scope)).returning(changed), also),
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
    ...postgresReads(readPool, attempt),
    ...working,

    readRecord: (place, key) =>
      attempt(async () => {
        const [row] = await db
          .select({ value: records.value })
          .from(records)
          .where(and(eq(records.place, place), eq(records.key, key)))
        return row?.value ?? null
      }),
    async writeRecord(place, key, value, updatedAt) {
      const target = [records.place, records.key]
      await attempt(() =>
        db.insert(records).values({ place, key, value, updatedAt }).onConflictDoUpdate({ target, set: { value, updatedAt } }),
      )
    },

    now: clock.now,
    countPeppers: () =>
      attempt(() =>
        db
          .select({ pepper: credentials.pepper, count: sql`count(*)`.mapWith(Number) })
          .from(credentials)
          .groupBy(credentials.pepper),
      ),
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

function openPool(config: pg.PoolConfig, log: Log): pg.Pool {
  const pool = new pg.Pool(config)
  // A connection that breaks while idle is replaced when next needed; unheard, the event would end the process.
  pool.on('error', (err) => log.warn({ err }, 'an idle connection to the database broke'))
  return pool
}

/** Several addresses of one host fail as one error without a message of its own. */
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

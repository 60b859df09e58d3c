import { join } from 'node:path'
import { isServiceError, unavailable } from '@svc/contract'
import Database from 'better-sqlite3'
import { auditRow } from './audit-row.ts'
import { readCursor, toPage } from './cursor.ts'
import { prepareDataFolder } from './data-folder.ts'
import { betterSqlite, core } from './drizzle.ts'
import { databaseFault } from './faults.ts'
import { createListeners } from './listeners.ts'
import { knownMigrations, pendingMigrations } from './migrations.ts'
import { audit, credentials } from './schema-sqlite.ts'
import type { AuditRecord, CredentialScope, Log, Store } from './store.ts'

const { and, desc, eq, gte, lt, sql } = core()

/** How long a write waits for another process's write; the command line's take a few milliseconds. */
const BUSY_MS = 2_000
/** How often another process's changes are looked for. */
const POLL_MS = 1_000

/**
 * The embedded database: one file in a folder, or `:memory:`. A commit is on disk when it returns (write-ahead log,
 * `synchronous = FULL`), for the audit log as well: what a customer was given is not forgotten in a power cut. The price of
 * a commit is one disk flush on the main thread, which is why the audit writes in groups.
 *
 * @throws 503 `DATA_FOLDER_UNUSABLE`, `DATABASE_NEWER`, `DATABASE_UNPREPARED`
 */
export function openSqlite({ dataDir, log }: { readonly dataDir: string; readonly log: Log }): Store {
  const memory = dataDir === ':memory:'
  if (!memory) prepareDataFolder(dataDir)
  const client = connect(memory ? dataDir : join(dataDir, 'service.sqlite'))
  const db = betterSqlite().drizzle(client)
  const listeners = createListeners(log)
  const stopWatching = memory ? () => {} : watchOthers(client, () => listeners.tell('*'), log)

  const within = (scope: CredentialScope) =>
    and(eq(credentials.ulid, scope.ulid), eq(credentials.account, scope.account), eq(credentials.kind, scope.kind))

  const touch = client.prepare('update svc_credentials set last_used_at = max(coalesce(last_used_at, 0), @at) where ulid = @ulid')
  const touchAll = client.transaction((uses: readonly { ulid: string; at: number }[]) => {
    for (const use of uses) touch.run(use)
  })

  // Bound by hand rather than through drizzle, which takes 20 µs a row to build what binds in 3.
  const append = client.prepare(`
    insert into svc_audit
      (id, time, account, key, identity, method, route, network, status, duration_ms, request_id, action, effects, tx_hash, error)
    values
      (@id, @time, @account, @key, @identity, @method, @route, @network, @status, @durationMs, @requestId, @action,
        @effects, @txHash, @error)
    on conflict (id) do nothing`)
  const appendAll = client.transaction((records: readonly AuditRecord[]) => {
    for (const record of records) append.run(bindable(record))
  })

  return {
    dialect: 'sqlite',

    insertCredential: (credential) =>
      attempt(() => {
        db.insert(credentials).values(credential).run()
        listeners.tell(credential.ulid)
      }),
    findCredential: (ulid) => attempt(() => db.select().from(credentials).where(eq(credentials.ulid, ulid)).get() ?? null),
    listCredentials: (account, kind) =>
      attempt(() =>
        db
          .select()
          .from(credentials)
          .where(and(eq(credentials.account, account), eq(credentials.kind, kind)))
          .orderBy(credentials.ulid)
          .all(),
      ),
    updateCredential: (scope, changes) =>
      attempt(() => {
        if (Object.values(changes).every((value) => value === undefined)) {
          return db.select({ ulid: credentials.ulid }).from(credentials).where(within(scope)).get() !== undefined
        }
        const found = db.update(credentials).set(changes).where(within(scope)).run().changes > 0
        if (found) listeners.tell(scope.ulid)
        return found
      }),
    deleteCredential: (scope) =>
      attempt(() => {
        const found = db.delete(credentials).where(within(scope)).run().changes > 0
        if (found) listeners.tell(scope.ulid)
        return found
      }),
    touchLastUsed: (uses) => attempt(() => touchAll.immediate(uses.map(({ ulid, at }) => ({ ulid, at: at.getTime() })))),
    onCredentialChange: (listener) => listeners.add(listener),

    appendAudit: (records) => attempt(() => appendAll.immediate(records)),
    readAudit: (filter) =>
      attempt(() => {
        const place = filter.before === undefined ? undefined : readCursor(filter.before)
        const rows = db
          .select()
          .from(audit)
          .where(
            and(
              filter.account === undefined ? undefined : eq(audit.account, filter.account),
              filter.key === undefined ? undefined : eq(audit.key, filter.key),
              filter.identity === undefined ? undefined : eq(audit.identity, filter.identity),
              filter.action === undefined ? undefined : eq(audit.action, filter.action),
              filter.from === undefined ? undefined : gte(audit.time, filter.from),
              filter.to === undefined ? undefined : lt(audit.time, filter.to),
              place && sql`(${audit.time}, ${audit.id}) < (${place.time.getTime()}, ${place.id})`,
            ),
          )
          .orderBy(desc(audit.time), desc(audit.id))
          .limit(filter.limit + 1)
          .all()
        return toPage(rows, filter.limit)
      }),

    ping: () => attempt(() => void client.prepare('select count(*) from svc_migrations').get()),
    async close() {
      stopWatching()
      client.close()
    },
  }
}

function connect(file: string): Database.Database {
  try {
    const client = new Database(file, { timeout: BUSY_MS })
    try {
      client.pragma('journal_mode = WAL')
      client.pragma('synchronous = FULL')
      migrate(client)
      return client
    } catch (err) {
      client.close()
      throw err
    }
  } catch (err) {
    if (isServiceError(err)) throw err
    const reason = err instanceof Error ? err.message : String(err)
    throw unavailable('DATABASE_UNPREPARED', `The database ${file} cannot be opened or brought up to date: ${reason}.`, 60, err)
  }
}

function migrate(client: Database.Database): void {
  const known = knownMigrations('sqlite')
  const applied = () =>
    client
      .prepare<[], { at: number }>('select at from svc_migrations')
      .all()
      .map(({ at }) => at)
  const started = client.prepare(`select 1 from sqlite_master where name = 'svc_migrations'`).get() !== undefined
  // Looked at without a lock first, so that the command line opens the database while a server is writing.
  if (started && pendingMigrations(known, applied()).length === 0) return
  client
    .transaction(() => {
      client.exec('create table if not exists svc_migrations (at integer primary key, hash text not null, applied_at text not null)')
      for (const { at, hash, statements } of pendingMigrations(known, applied())) {
        for (const statement of statements) client.exec(statement)
        client
          .prepare(`insert into svc_migrations (at, hash, applied_at) values (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`)
          .run(at, hash)
      }
    })
    .immediate()
}

/**
 * SQLite tells a connection that another one has changed the file, not what.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_data_version (read 2026-11-21)
 */
function watchOthers(client: Database.Database, changed: () => void, log: Log): () => void {
  const version = () => client.pragma('data_version', { simple: true })
  let seen = version()
  const timer = setInterval(() => {
    try {
      const current = version()
      if (current === seen) return
      seen = current
      changed()
    } catch (err) {
      log.warn({ err }, 'the database could not be asked for changes by other processes')
    }
  }, POLL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function bindable(record: AuditRecord) {
  const row = auditRow(record)
  return { ...row, time: row.time.getTime(), effects: row.effects === null ? null : JSON.stringify(row.effects) }
}

/** The driver is synchronous; outside, a failure is a rejection. */
async function attempt<T>(work: () => T): Promise<T> {
  try {
    return work()
  } catch (error) {
    throw databaseFault(error)
  }
}

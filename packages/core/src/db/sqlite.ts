import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isServiceError } from '@svc/contract'
import Database from 'better-sqlite3'
import { unavailable } from '../base/codes.ts'
import { AUDIT_COLUMNS, auditRow, auditUpsert } from './audit-row.ts'
import { appendWith, statementOf } from './audit-statement.ts'
import { ofAccount, ofScope } from './conditions.ts'
import { prepareDataFolder } from './data-folder.ts'
import { betterSqlite, core } from './drizzle.ts'
import { databaseFault } from './faults.ts'
import type { Json } from './json.ts'
import { createListeners } from './listeners.ts'
import { credentials, records } from './schema-sqlite.ts'
import { createSqliteProbe, damaged, isDamage, refuseDamage } from './sqlite-health.ts'
import { migrateSqlite } from './sqlite-migrate.ts'
import { sqliteReads } from './sqlite-reads.ts'
import { sqliteWork } from './sqlite-work.ts'
import type { AuditRecord, Credential, Log, Store } from './store.ts'
import type { Also } from './work.ts'

const { and, eq, sql } = core()

/** Time that a write of a process that serves waits for another process's, in milliseconds: nobody is answered meanwhile. The writes of the command line take a few. */
const BUSY_MS = 2_000
/**
 * Time that a process by which nobody is served waits for another one's write, in milliseconds: the command line, and any process while it opens the database. The other one may bring it
 * up to date, or stand still in the midst of a write on a busy machine.
 */
const PATIENT_MS = 60_000
/** Interval at which another process's changes are looked for. */
const POLL_MS = 1_000

interface SqliteOptions {
  readonly dataDir: string
  readonly log: Log
  /** True for a process that answers requests: the pages of the database are searched for damage first, and a write waits for another process's for a short time only. */
  readonly serves?: boolean
}

/**
 * The embedded database: one file in a folder, or `:memory:`. A commit is on disk when it returns (write-ahead log,
 * `synchronous = FULL`), for the audit log as well: what a customer was given is not forgotten in a power cut. The price of
 * a commit is one disk flush on the main thread, which is why the audit writes in groups.
 *
 * @throws 503 `DATA_FOLDER_UNUSABLE`, `DATABASE_NEWER`, `DATABASE_UNPREPARED`, `DATABASE_DAMAGED`
 */
export function openSqlite({ dataDir, log, serves = false }: SqliteOptions): Store {
  const memory = dataDir === ':memory:'
  if (!memory) prepareDataFolder(dataDir)
  const file = join(dataDir, 'service.sqlite')
  const busyMs = serves ? BUSY_MS : PATIENT_MS
  const client = connect(memory ? dataDir : file, busyMs)
  if (serves && !memory) orClose(client, () => refuseDamage(client, file, log))
  const probe = createSqliteProbe(client, busyMs)
  const { ino, dev } = memory ? { ino: 0, dev: 0 } : statSync(file)
  /** SQLite goes on writing to a file that was deleted or replaced, and says nothing. */
  const requireFile = () => {
    if (memory) return
    const now = statSync(file, { throwIfNoEntry: false })
    if (now?.ino !== ino || now.dev !== dev) throw new Error(`${file} is no longer the file that was opened: it was deleted or replaced`)
  }
  const db = betterSqlite().drizzle(client)
  const listeners = createListeners(log)
  const stopWatching = memory ? () => {} : watchOthers(client, () => listeners.tell('*'), log)

  /** @param most nobody needs to know of more */
  const countOf = (one: Credential, most: number) =>
    db.select({ ulid: credentials.ulid }).from(credentials).where(ofAccount(credentials, one)).limit(most).all().length

  const touch = client.prepare('update svc_credentials set last_used_at = max(coalesce(last_used_at, 0), @at) where ulid = @ulid')
  const touchAll = client.transaction((uses: readonly { ulid: string; at: number }[]) => {
    for (const use of uses) touch.run(use)
  })

  // Bound by hand rather than through drizzle, which takes 20 µs a row to build what binds in 3.
  const append = client.prepare(auditUpsert(() => `values (${AUDIT_COLUMNS.map(([, member]) => `@${member}`).join(', ')})`))
  const appendAll = client.transaction((records: readonly AuditRecord[]) => {
    for (const record of records) append.run(bindable(record))
  })
  const numbered = auditUpsert(() => `values (${AUDIT_COLUMNS.map((_, index) => `$${index + 1}`).join(', ')})`)

  /** Damage that was found. A damaged database stays damaged: a sound page afterwards does not change that. */
  let damage: unknown
  /** The driver is synchronous; outside, a failure is a rejection. */
  async function attempt<T>(work: () => T): Promise<T> {
    try {
      return work()
    } catch (error) {
      if (isDamage(error)) damage = error
      throw databaseFault(error)
    }
  }

  const working = sqliteWork(client, (part) =>
    attempt(() => {
      requireFile()
      return part()
    }),
  )
  const statement = (record: AuditRecord) => {
    const row = bindable(record)
    return statementOf(
      numbered,
      AUDIT_COLUMNS.map(([, member]) => row[member]),
    )
  }
  /** @param change whether it changed anything */
  const changing = async (ulid: string, also: Also | undefined, change: () => boolean): Promise<boolean> => {
    const changed = await working.transact(function* (database) {
      const outcome = change()
      if (outcome && also) yield* also(database)
      return outcome
    })
    if (changed) listeners.tell(ulid)
    return changed
  }

  return {
    dialect: 'sqlite',

    insertCredential: (credential, most, also) =>
      changing(credential.ulid, also, () => {
        const room = most === undefined || countOf(credential, most) < most
        return room && db.insert(credentials).values(credential).run().changes > 0
      }),
    findCredential: (ulid) => attempt(() => db.select().from(credentials).where(eq(credentials.ulid, ulid)).get() ?? null),
    listCredentials: (account, kind, { limit, after }) =>
      attempt(() =>
        db.select().from(credentials).where(ofAccount(credentials, { account, kind, after })).orderBy(credentials.ulid).limit(limit).all(),
      ),
    countCredentials: (account, kind) =>
      attempt(() =>
        db
          .select({ account: credentials.account, count: sql<number>`count(*)` })
          .from(credentials)
          .where(ofAccount(credentials, { account, kind }))
          .groupBy(credentials.account)
          .all(),
      ),
    updateCredential: (scope, changes, also) => {
      if (Object.values(changes).every((value) => value === undefined))
        return attempt(() => db.select({ ulid: credentials.ulid }).from(credentials).where(ofScope(credentials, scope)).get() !== undefined)
      return changing(scope.ulid, also, () => db.update(credentials).set(changes).where(ofScope(credentials, scope)).run().changes > 0)
    },
    deleteCredential: (scope, also) =>
      changing(scope.ulid, also, () => db.delete(credentials).where(ofScope(credentials, scope)).run().changes > 0),
    touchLastUsed: (uses) => attempt(() => touchAll.immediate(uses.map(({ ulid, at }) => ({ ulid, at: at.getTime() })))),
    onCredentialChange: (listener) => listeners.add(listener),

    appendAudit(records, also = []) {
      if (also.length > 0) return working.transact((database) => appendWith(database, records.map(statement), also))
      return attempt(() => {
        requireFile()
        appendAll.immediate(records)
      })
    },
    ...sqliteReads(db, attempt),
    ...working,

    readRecord: (place, key) =>
      attempt(() => {
        const row = db
          .select({ value: records.value })
          .from(records)
          .where(and(eq(records.place, place), eq(records.key, key)))
          .get()
        return row?.value ?? null
      }),
    writeRecord: (place, key, value, updatedAt) =>
      attempt(() => {
        const target = [records.place, records.key]
        db.insert(records).values({ place, key, value, updatedAt }).onConflictDoUpdate({ target, set: { value, updatedAt } }).run()
      }),

    now: () => new Date(),
    ping: () =>
      attempt(() => {
        if (damage) throw damage
        requireFile()
        probe()
      }),
    countPeppers: () =>
      attempt(() =>
        db.select({ pepper: credentials.pepper, count: sql<number>`count(*)` }).from(credentials).groupBy(credentials.pepper).all(),
      ),
    async close() {
      stopWatching()
      client.close()
    },
  }
}

function connect(file: string, busyMs: number): Database.Database {
  try {
    const client = new Database(file, { timeout: PATIENT_MS })
    orClose(client, () => {
      client.pragma('journal_mode = WAL')
      client.pragma('synchronous = FULL')
      // Each record's triggers keep a journal of their statement: in a file it would cost more than the record.
      client.pragma('temp_store = MEMORY')
      migrateSqlite(client)
      client.pragma(`busy_timeout = ${busyMs}`)
    })
    return client
  } catch (err) {
    if (isServiceError(err)) throw err
    if (isDamage(err)) throw damaged(file, err.message)
    const reason = err instanceof Error ? err.message : String(err)
    throw unavailable('DATABASE_UNPREPARED', `The database ${file} cannot be opened or brought up to date: ${reason}.`, 60, err)
  }
}

function orClose(client: Database.Database, work: () => void): void {
  try {
    work()
  } catch (error) {
    client.close()
    throw error
  }
}

/**
 * SQLite tells a connection that another one has changed the file, not what.
 *
 * @see https://www.sqlite.org/pragma.html#pragma_data_version (read 2026-11-21)
 */
function watchOthers(client: Database.Database, changed: () => void, log: Log): () => void {
  const version = () => client.pragma('data_version', { simple: true })
  let lastVersion = version()
  const timer = setInterval(() => {
    try {
      const current = version()
      if (current === lastVersion) return
      lastVersion = current
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
  const json = (value: Json | null) => (value === null ? null : JSON.stringify(value))
  const { effects, changes, moves, asked: input } = row
  return { ...row, time: row.time.getTime(), effects: json(effects), changes: json(changes), moves: json(moves), asked: json(input) }
}

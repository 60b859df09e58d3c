import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isServiceError } from '@svc/contract'
import Database from 'better-sqlite3'
import { unavailable } from '../base/codes.ts'
import { AUDIT_COLUMNS, auditRow, auditUpsert } from './audit-row.ts'
import { appendWith, statementOf } from './audit-statement.ts'
import { credentialStore } from './credentials.ts'
import { prepareDataFolder } from './data-folder.ts'
import { databaseFault } from './faults.ts'
import type { Json } from './json.ts'
import { createListeners } from './listeners.ts'
import { createPause } from './pace.ts'
import { createReads } from './reads.ts'
import { recordStore } from './records.ts'
import { createSqliteProbe, damaged, isDamage, refuseDamage } from './sqlite-health.ts'
import { migrateSqlite } from './sqlite-migrate.ts'
import { sqliteWork } from './sqlite-work.ts'
import type { AuditRecord, Log, Store } from './store.ts'

/** Time that a write of a process that serves waits for another process's, in milliseconds: nobody is answered meanwhile. The writes of the command line take a few. */
const BUSY_MS = 2_000
/**
 * Time that a process by which nobody is served waits for another one's write, in milliseconds: the command line, and any process while it opens the database. The other one may bring it
 * up to date, or stand still in the midst of a write on a busy machine.
 */
const PATIENT_MS = 60_000
/** Time that one statement of a search should take, in milliseconds: the whole process stops while it runs. */
const SLICE_MS = 4
/** Interval at which changes by other processes are looked for, in milliseconds. */
const POLL_MS = 1_000

interface SqliteOptions {
  readonly dataDir: string
  readonly log: Log
  /** True for a process that answers requests: the pages of the database are searched for damage first, and a write waits for another process's for a short time only. */
  readonly serves?: boolean
}

/**
 * Opens the embedded database: one file in a folder, or `:memory:`. A commit is on disk when it returns (write-ahead log, `synchronous = FULL`), also for the audit log, so
 * that a power cut does not lose the record of an answer. A commit costs one disk flush on the main thread, which is why audit records are written in groups.
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
  const listeners = createListeners(log)
  const stopWatching = memory ? () => {} : watchOthers(client, () => listeners.tell('*'), log)

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
  return {
    dialect: 'sqlite',

    ...credentialStore(working, listeners.tell, () => undefined),
    touchLastUsed: (uses) => attempt(() => touchAll.immediate(uses.map(({ ulid, at }) => ({ ulid, at: at.getTime() })))),
    onCredentialChange: (listener) => listeners.add(listener),

    appendAudit(records, also = []) {
      if (also.length > 0) return working.transact((database) => appendWith(database, records.map(statement), also))
      return attempt(() => {
        requireFile()
        appendAll.immediate(records)
      })
    },
    ...createReads(working, 'sqlite', { sliceMs: SLICE_MS, pause: createPause(SLICE_MS) }),
    ...recordStore(working),
    ...working,

    now: () => new Date(),
    ping: () =>
      attempt(() => {
        if (damage) throw damage
        requireFile()
        probe()
      }),
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
      keepWal(client)
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

/** Times that the journal is tried to be set to WAL. Each but the first waits before for as long as the time-out says. */
const MOST_TRIES = 100

/**
 * Sets the journal to WAL. SQLite waits for no other process that is doing the same just then, so that a wait for its lock comes in between.
 *
 * @see https://www.sqlite.org/wal.html#sometimes_queries_return_sqlite_busy_in_wal_mode (read 2026-11-29)
 * @throws SqliteError
 */
function keepWal(client: Database.Database): void {
  for (let tries = 1; ; tries++)
    try {
      client.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if ((error as { readonly code?: unknown }).code !== 'SQLITE_BUSY' || tries === MOST_TRIES) throw error
      client.exec('begin immediate; rollback')
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
 * Watches for changes by other connections. SQLite tells a connection that another one has changed the file, not what.
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

import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { membersOf } from '@svc/contract'
import Database from 'better-sqlite3'
import pg from 'pg'
import { knownMigrations, pendingMigrations } from './db/migrations.ts'
import { damaged, damageOf } from './db/sqlite-health.ts'
import type { PepperCount } from './db/store.ts'
import { present } from './present.ts'

/** A database as it is found. */
export interface DatabaseState {
  readonly text: string
  readonly peppers: readonly PepperCount[]
}

/** Less room than this, in bytes, is as good as none: the audit log of a busy hour. */
const ROOM = 64 * 1024 * 1024
/** Clocks further apart than this, in milliseconds, are a mistake. */
const SKEW_MS = 5_000

/** A write of the kind that every request makes; it is rolled back. */
const AUDIT = `insert into svc_audit (id, time, account, key, method, route, status, duration_ms, request_id)
  values ('svc check', TIME, '', '', '', '', 0, 0, '')`
const PEPPERS = 'select pepper, count(*) as count from svc_credentials group by pepper'

/**
 * Looks at the embedded database: its pages, whether its records can be read and written, and the room on its disk.
 *
 * @throws when it cannot be used
 */
export async function sqliteState(dataDir: string): Promise<DatabaseState> {
  const file = join(dataDir, 'service.sqlite')
  if (!existsSync(file)) return { text: `embedded, none yet; the first start makes ${file}`, peppers: [] }
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < ROOM)
    throw new Error(`the disk of ${file} is full: ${Math.floor((bavail * bsize) / 1_048_576)} MiB are left; make room.`)
  const database = new Database(file, { fileMustExist: true, timeout: 2_000 })
  try {
    const damage = damageOf(database)
    if (damage !== null) throw damaged(file, damage)
    const { now, text } = layout('sqlite', migrationsOf(database))
    if (!now) return { text: `embedded, ${file}, ${text}`, peppers: [] }
    database.exec('begin immediate')
    database.exec(AUDIT.replace('TIME', '0'))
    database.exec('rollback')
    return { text: `embedded, ${file}, ${text}`, peppers: database.prepare<[], PepperCount>(PEPPERS).all() }
  } catch (error) {
    if (/^SQLITE_(BUSY|READONLY|FULL|IOERR|CANTOPEN)/.test(String(membersOf(error).code)))
      throw new Error(`${file} cannot be written: ${(error as Error).message}.`)
    throw error
  } finally {
    database.close()
  }
}

function migrationsOf(database: Database.Database): readonly number[] {
  const started = database.prepare(`select 1 from sqlite_master where name = 'svc_migrations'`).get() !== undefined
  const applied = started ? database.prepare<[], { at: number }>('select at from svc_migrations').all() : []
  return applied.map(({ at }) => at)
}

/**
 * Looks at PostgreSQL: whether records can be read and written, and what time it takes it to be.
 *
 * @throws when it cannot be used
 */
export async function postgresState(url: string): Promise<DatabaseState> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_500 })
  client.on('error', () => {})
  const where = `PostgreSQL at ${client.host}:${client.port}/${client.database ?? ''}`
  try {
    await client.connect()
    const { rows } = await client.query<{ found: boolean }>(`select to_regclass('svc_migrations') is not null as found`)
    const applied = rows[0]?.found ? (await client.query<{ at: string }>('select at from svc_migrations')).rows : []
    const { now, text } = layout(
      'postgres',
      applied.map(({ at }) => Number(at)),
    )
    await requireClock(client)
    const [mode] = (await client.query<{ transaction_read_only: string }>('show transaction_read_only')).rows
    if (mode?.transaction_read_only !== 'off') throw new Error('it is read-only')
    if (!now) return { text: `${where}, ${text}`, peppers: [] }
    await client.query('begin')
    await client.query(AUDIT.replace('TIME', 'now()'))
    await client.query('rollback')
    const counts = await client.query<{ pepper: string | null; count: string }>(PEPPERS)
    return { text: `${where}, ${text}`, peppers: counts.rows.map(({ pepper, count }) => ({ pepper, count: Number(count) })) }
  } catch (error) {
    throw new Error(`${where} cannot be used: ${reasonOf(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

async function requireClock(client: pg.Client): Promise<void> {
  const began = Date.now()
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  const skew = (began + Date.now()) / 2 - present(rows[0], 'the time of the database').now.getTime()
  if (Math.abs(skew) > SKEW_MS)
    throw new Error(`its clock and this machine's are ${Math.round(Math.abs(skew) / 1000)} s apart; set both by a time server`)
}

/** @returns whether the tables are as this version writes them, and a word about it */
function layout(dialect: 'sqlite' | 'postgres', applied: readonly number[]): { readonly now: boolean; readonly text: string } {
  const pending = pendingMigrations(knownMigrations(dialect), applied)
  if (pending.length === 0) return { now: true, text: 'up to date' }
  const text =
    applied.length === 0
      ? 'empty; the first start prepares it'
      : `${pending.length} change(s) of its layout pending; the next start makes them`
  return { now: false, text }
}

/** Several addresses of one host fail as one error without a message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

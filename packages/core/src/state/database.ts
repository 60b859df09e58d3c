import { existsSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { membersOf } from '@svc/contract'
import Database from 'better-sqlite3'
import type pg from 'pg'
import { present } from '../base/present.ts'
import { knownMigrations, type Layout, pendingMigrations } from '../db/migrations.ts'
import { clientOf } from '../db/postgres-address.ts'
import { postgresLayout } from '../db/postgres-layout.ts'
import { damaged, damageOf } from '../db/sqlite-health.ts'
import { sqliteLayout } from '../db/sqlite-migrate.ts'
import type { PepperCount } from '../db/store.ts'
import { type Row, timeOf } from '../db/work.ts'
import { PENDING_ROWS, pendingIn } from '../life/pending.ts'
import type { PendingControl } from '../plugins/pending-control.ts'
import { type HeldPositions, type HeldRow, heldOf, heldStatement } from './validator-words.ts'

/** A database as it is found. */
export interface DatabaseState {
  readonly text: string
  readonly peppers: readonly PepperCount[]
  /** Since when the oldest row of each network is due that is followed; of networks of which none is, nothing. */
  readonly due: readonly DueSince[]
  /** Wallets by what their positions were with when they were read; null: they could not be counted, as in time. */
  readonly held: readonly HeldPositions[] | null
  /** Changes of powers that wait for the operator, by the path of the network's settings. */
  readonly pending: ReadonlyMap<string, readonly PendingControl[]>
}

/** A network with due rows, and the time since which the oldest of them is due. */
interface DueSince {
  readonly protocol: string
  readonly network: string
  /** Milliseconds since then, by the clock that due moments are told by; below zero: it is not due yet. */
  readonly ms: number
}

/** Less room than this, in bytes, is as good as none: the audit log of a busy hour. */
const ROOM = 64 * 1024 * 1024
/** Clocks further apart than this, in milliseconds, are a mistake. */
const SKEW_MS = 5_000

/** A write of the kind that every request makes; it is rolled back. */
const AUDIT = `insert into svc_audit (id, time, account, key, method, route, status, duration_ms, request_id)
  values ('svc check', TIME, '', '', '', '', 0, 0, '')`
/** @param now of the database, in whatever form its times are */
const due = (now: string) => `select protocol, network, ${now} as now, min(at) as at from (
    select protocol, network, next_at as at from svc_transactions where next_at is not null
    union all select protocol, network, due_at as at from svc_watches where due_at is not null) as rows
  group by protocol, network`
const PEPPERS = 'select pepper, count(*) as count from svc_credentials group by pepper'

/** Checks the embedded database: its pages, whether its records can be read and written, and the free space on its disk. @throws when it cannot be used */
export async function sqliteState(dataDir: string): Promise<DatabaseState> {
  const file = join(dataDir, 'service.sqlite')
  if (!existsSync(file)) return { text: `embedded, none yet; the first start makes ${file}`, ...NONE }
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < ROOM)
    throw new Error(`the disk of ${file} is full: ${Math.floor((bavail * bsize) / 1_048_576)} MiB are left; make room.`)
  const database = new Database(file, { fileMustExist: true, timeout: 2_000 })
  try {
    const damage = damageOf(database)
    if (damage !== null) throw damaged(file, damage)
    const { now, text } = layout('sqlite', sqliteLayout(database))
    if (!now) return { text: `embedded, ${file}, ${text}`, ...NONE, held: null }
    database.exec('begin immediate')
    database.exec(AUDIT.replace('TIME', '0'))
    database.exec('rollback')
    return {
      text: `embedded, ${file}, ${text}`,
      peppers: database.prepare<[], PepperCount>(PEPPERS).all(),
      due: database
        .prepare<[], DueRow>(due(String(Date.now())))
        .all()
        .map(dueOf),
      held: countedOrNull(() => database.prepare<[], HeldRow>(heldStatement('sqlite')).all()),
      pending: pendingIn(database.prepare<[], Row>(PENDING_ROWS).all()),
    }
  } catch (error) {
    if (/^SQLITE_(BUSY|READONLY|FULL|IOERR|CANTOPEN)/.test(String(membersOf(error).code)))
      throw new Error(`${file} cannot be written: ${(error as Error).message}.`)
    throw error
  } finally {
    database.close()
  }
}

/** Checks PostgreSQL: whether records can be read and written, and whether its clock agrees with this machine's. @throws when it cannot be used */
export async function postgresState(url: string): Promise<DatabaseState> {
  const client = clientOf({ connectionString: url, connectionTimeoutMillis: 2_000, query_timeout: 2_500 })
  client.on('error', () => {})
  const where = `PostgreSQL at ${client.host}:${client.port}/${client.database ?? ''}`
  try {
    await client.connect()
    const { now, text } = layout('postgres', await postgresLayout(client))
    await requireClock(client)
    const [mode] = (await client.query<{ transaction_read_only: string }>('show transaction_read_only')).rows
    if (mode?.transaction_read_only !== 'off') throw new Error('it is read-only')
    if (!now) return { text: `${where}, ${text}`, ...NONE, held: null }
    await client.query('begin')
    await client.query(AUDIT.replace('TIME', 'now()'))
    await client.query('rollback')
    const counts = await client.query<{ pepper: string | null; count: string }>(PEPPERS)
    const dues = await client.query<DueRow>(due('clock_timestamp()'))
    // Of millions of rows it takes longer than a look may; the rest of the look is worth having without it.
    const tally = await client.query<HeldRow>(heldStatement('postgres')).catch(() => null)
    return {
      text: `${where}, ${text}`,
      peppers: counts.rows.map(({ pepper, count }) => ({ pepper, count: Number(count) })),
      due: dues.rows.map(dueOf),
      held: tally && countedOrNull(() => tally.rows),
      pending: pendingIn((await client.query<Row>(PENDING_ROWS)).rows),
    }
  } catch (error) {
    throw new Error(`${where} cannot be used: ${reasonOf(error)}`)
  } finally {
    await client.end().catch(() => {})
  }
}

const NONE = { peppers: [], due: [], held: [], pending: new Map<string, readonly PendingControl[]>() } as const

type DueRow = Readonly<Record<'protocol' | 'network', string> & Record<'now' | 'at', Date | number>>

function dueOf({ protocol, network, now, at }: DueRow): DueSince {
  return { protocol, network, ms: timeOf(now).getTime() - timeOf(at).getTime() }
}

/** Counts positions, or returns null: one that cannot be read keeps nobody from the rest of the look. */
function countedOrNull(read: () => readonly HeldRow[]): readonly HeldPositions[] | null {
  try {
    return read().map(heldOf)
  } catch {
    return null
  }
}

async function requireClock(client: pg.Client): Promise<void> {
  const began = Date.now()
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  const skew = (began + Date.now()) / 2 - present(rows[0], 'the time of the database').now.getTime()
  if (Math.abs(skew) > SKEW_MS)
    throw new Error(`its clock and this machine's are ${Math.round(Math.abs(skew) / 1000)} s apart; set both by a time server`)
}

/** Compares the tables with those that this version writes. @returns whether they are the same, and a word about it */
function layout(dialect: 'sqlite' | 'postgres', current: Layout | null): { readonly now: boolean; readonly text: string } {
  const pending = pendingMigrations(knownMigrations(dialect), current ?? { binding: [], noted: [] })
  if (pending.length === 0) return { now: true, text: 'up to date' }
  if (current === null) return { now: false, text: 'empty; the first start prepares it' }
  return { now: false, text: `${pending.length} change(s) of its layout pending; the next start makes them` }
}

/** Returns the message of an error; an error for several addresses of one host has none of its own, so that those of its parts are joined. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

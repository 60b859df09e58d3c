import { existsSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { knownMigrations, type Layout, type Migration, pendingMigrations } from '../db/migrations.ts'
import { postgresLayout } from '../db/postgres-layout.ts'
import { sqliteLayout } from '../db/sqlite-migrate.ts'

/** A migration that the next start makes. */
export interface PendingMigration {
  /** Name of its file, such as `0011_counted`. */
  readonly tag: string
  /** True if every older version works on a database that has the migration; otherwise one can go back by one version only. */
  readonly isExpansion: boolean
  /** Rows that its indexes are built of, each as often as it is read. */
  readonly rows: number
}

/** Changes that the next start of this version makes to a database. */
export interface Upgrade {
  readonly dialect: 'sqlite' | 'postgres'
  /** True if there is no layout yet; the first start makes it at once. */
  readonly isEmpty: boolean
  readonly pending: readonly PendingMigration[]
  /** About how long that takes, in seconds, on a machine that does little else. */
  readonly seconds: number
}

/**
 * Rows of an index that are built in a second. Measured with a million audit records (2026-11-23): twelve indexes of them took 5.6 s with SQLite and 10 s with
 * PostgreSQL under load, so about two million and one; a disk that is slower than that machine's takes longer.
 */
const ROWS_PER_SECOND = { sqlite: 2_000_000, postgres: 1_000_000 } as const

/** Lists the changes that the next start would make to a database's layout; changes nothing. @throws 503 `DATABASE_NEWER`; Error when it cannot be read */
export async function readUpgrade({
  databaseUrl,
  dataDir,
}: {
  readonly databaseUrl?: string | undefined
  readonly dataDir: string
}): Promise<Upgrade> {
  return databaseUrl ? ofPostgres(databaseUrl) : ofSqlite(join(dataDir, 'service.sqlite'))
}

function ofSqlite(file: string): Upgrade {
  if (!existsSync(file)) return upgrade('sqlite', null, () => 0)
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 2_000 })
  try {
    const has = (table: string) => database.prepare('select 1 from sqlite_master where name = ?').get(table) !== undefined
    // Rows are numbered as they come and few are ever deleted, so that the last number is their count, without reading them.
    const rows = (table: string) =>
      has(table) ? (database.prepare<[], { count: number | null }>(`select max(rowid) as count from "${table}"`).get()?.count ?? 0) : 0
    return upgrade('sqlite', sqliteLayout(database), rows)
  } finally {
    database.close()
  }
}

async function ofPostgres(connectionString: string): Promise<Upgrade> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000, query_timeout: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const layout = await postgresLayout(client)
    const { rows } = await client.query<{ name: string; count: string }>(
      `select relname as name, greatest(reltuples, 0)::bigint as count from pg_class where relkind = 'r' and oid = to_regclass(quote_ident(relname))`,
    )
    const counts = new Map(rows.map(({ name, count }) => [name, Number(count)]))
    return upgrade('postgres', layout, (table) => counts.get(table) ?? 0)
  } finally {
    await client.end().catch(() => {})
  }
}

function upgrade(dialect: 'sqlite' | 'postgres', layout: Layout | null, rows: (table: string) => number): Upgrade {
  if (layout === null) return { dialect, isEmpty: true, pending: [], seconds: 0 }
  const pending = pendingMigrations(knownMigrations(dialect), layout).map((migration): PendingMigration => {
    const count = indexed(migration).reduce((sum, table) => sum + rows(table), 0)
    return { tag: migration.tag, isExpansion: migration.needs === null, rows: count }
  })
  const all = pending.reduce((sum, migration) => sum + migration.rows, 0)
  return { dialect, isEmpty: false, pending, seconds: all / ROWS_PER_SECOND[dialect] }
}

/** Tables of a migration's indexes, each as often as it has one. */
function indexed({ statements }: Migration): readonly string[] {
  return statements.flatMap((text) => /^\s*CREATE (?:UNIQUE )?INDEX \S+ ON ["`](\w+)["`]/i.exec(text)?.[1] ?? [])
}

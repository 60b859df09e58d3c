import type Database from 'better-sqlite3'
import { binds, knownMigrations, type Layout, type Migration, pendingMigrations } from './migrations.ts'

/** Brings the layout up to date in one transaction: a single process has the file, so that only a command line may have to wait. @throws 503 `DATABASE_NEWER` */
export function migrateSqlite(client: Database.Database, migrations: readonly Migration[] = knownMigrations('sqlite')): void {
  // Looked at without a lock first, so that the command line opens the database while a server is writing.
  const layout = sqliteLayout(client)
  if (layout !== null && pendingMigrations(migrations, layout).length === 0) return
  client
    .transaction(() => {
      client.exec('create table if not exists svc_migrations (at integer primary key, hash text not null, applied_at text not null)')
      client.exec(
        'create table if not exists svc_layout (at integer primary key, hash text not null, needs integer, applied_at text not null)',
      )
      const now = `strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`
      for (const migration of pendingMigrations(migrations, sqliteLayout(client) ?? EMPTY)) {
        const { at, hash, needs, statements } = migration
        for (const statement of statements) client.exec(statement)
        if (binds(migration, migrations))
          client.prepare(`insert into svc_migrations (at, hash, applied_at) values (?, ?, ${now})`).run(at, hash)
        if (migration !== migrations[0])
          client.prepare(`insert into svc_layout (at, hash, needs, applied_at) values (?, ?, ?, ${now})`).run(at, hash, needs)
      }
    })
    .immediate()
}

const EMPTY: Layout = { binding: [], noted: [] }

/** Reads the layout that a database has recorded. @returns null: it has none yet */
export function sqliteLayout(client: Database.Database): Layout | null {
  const has = (table: string) => client.prepare('select 1 from sqlite_master where name = ?').get(table) !== undefined
  if (!has('svc_migrations')) return null
  const binding = client.prepare<[], { at: number }>('select at from svc_migrations').all()
  const records = has('svc_layout')
    ? client.prepare<[], { at: number; needs: number | null }>('select at, needs from svc_layout').all()
    : []
  return { binding: binding.map(({ at }) => at), noted: records.map((row) => ({ ...row, steps: [], complete: true })) }
}

import { statSync } from 'node:fs'
import { itemsOf, membersOf } from '@svc/contract'
import type Database from 'better-sqlite3'
import { unavailable } from '../base/codes.ts'
import type { Log } from './store.ts'

/** Longest wait for another process's write while probing, in milliseconds: the whole process stops meanwhile. */
const BUSY_MS = 250
/** Largest file that is searched for damage as a whole at start, in bytes: that takes 1.7 s (measured 2026-11-22, 600,000 records in 342 MB take 0.6 s). */
const WHOLE_BYTES = 1_000_000_000
/** Tables without which no request can be served. Of a larger file, only these are searched for damage; the rest is the audit log. */
const NEEDED = ['svc_credentials', 'svc_records', 'svc_migrations']

/** Makes a probe that checks what a working database must do: read credentials, and write to disk. @returns does it; throws what SQLite throws */
export function createSqliteProbe(client: Database.Database, busyMs: number): () => void {
  const read = client.prepare('select * from svc_credentials order by ulid desc limit 20')
  const audit = client.prepare('insert into svc_audit select * from svc_audit where false')
  // A write that is rolled back may never reach the disk.
  const write = client.prepare(
    `insert into svc_records (place, key, value, updated_at) values ('health', 'probe', '', ?)
     on conflict (place, key) do update set updated_at = excluded.updated_at`,
  )
  return () => {
    client.pragma(`busy_timeout = ${BUSY_MS}`)
    try {
      read.all()
      audit.run()
      write.run(Date.now())
    } finally {
      client.pragma(`busy_timeout = ${busyMs}`)
    }
  }
}

/**
 * Checks the pages of a database for damage.
 *
 * @param tables only these
 * @returns the first thing that is damaged, in SQLite's words; null: nothing was found
 * @see https://www.sqlite.org/pragma.html#pragma_quick_check (read 2026-11-22)
 */
export function damageOf(client: Database.Database, tables?: readonly string[]): string | null {
  try {
    for (const pragma of tables?.map((table) => `quick_check('${table}')`) ?? ['quick_check(1)']) {
      const verdict = membersOf(itemsOf(client.pragma(pragma))[0]).quick_check
      if (verdict !== 'ok') return String(verdict).split('\n').join(' ').slice(0, 300)
    }
    return null
  } catch (error) {
    if (isDamage(error)) return error.message
    throw error
  }
}

/** Tells whether an error says that the database file itself is damaged, which lasts until somebody repairs it. */
export function isDamage(error: unknown): error is Error {
  return error instanceof Error && /^SQLITE_(CORRUPT|NOTADB)/.test(String(membersOf(error).code))
}

/** Checks a database file, and refuses a damaged one. @throws 503 `DATABASE_DAMAGED` */
export function refuseDamage(client: Database.Database, file: string, log: Log): void {
  const { size } = statSync(file)
  if (size > WHOLE_BYTES) log.info({ file, bytes: size }, 'the database is too large to be looked through whole at start; svc check does')
  const damage = damageOf(client, size > WHOLE_BYTES ? NEEDED : undefined)
  if (damage !== null) throw damaged(file, damage)
}

/** Makes the 503 `DATABASE_DAMAGED`. */
export function damaged(file: string, damage: string) {
  return unavailable('DATABASE_DAMAGED', `The database ${file} is damaged (${damage}). Stop the service and restore it from a copy.`, 60)
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { eventually } from '@svc/testing/eventually'
import { memoryLog } from '@svc/testing/paper'
import Database from 'better-sqlite3'
import t from 'tap'
import { lockDataFolder } from '../../src/db/lock.ts'
import { knownMigrations } from '../../src/db/migrations.ts'
import { openStore } from '../../src/db/open.ts'
import { migrateSqlite } from '../../src/db/sqlite-migrate.ts'
import { auditRecord, credential } from './samples.ts'
import { firstLayout, readsFirstLayout, storeContract } from './store-contract.ts'

const log = memoryLog()
const CHILD = fileURLToPath(new URL('./folder-child.ts', import.meta.url))

/** Starts a process of its own. */
function child(...args: string[]) {
  const process_ = spawn(process.execPath, [...process.execArgv.filter((arg) => arg.startsWith('--conditions')), CHILD, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(process_.stdout)[Symbol.asyncIterator]()
  return {
    /** Waits for its next line. */
    line: async () => (await lines.next()).value ?? 'it has ended',
    tell: () => process_.stdin.write('go on'),
    pid: process_.pid as number,
    ended: once(process_, 'exit'),
  }
}

/** Looks until a write of a process that serves would have given up: that waits for two seconds, which are two hundred looks. @returns whether another process has ended meanwhile */
async function endsSoon(ended: Promise<unknown>): Promise<boolean> {
  let [looks, hasEnded] = [0, false]
  void ended.then(() => {
    hasEnded = true
  })
  await eventually(
    'three hundred looks',
    () => ++looks,
    () => hasEnded || looks > 300,
  )
  return hasEnded
}

await t.test('the embedded database in a folder', async (t) => {
  const dataDir = join(t.testdir(), 'made', 'when missing')
  await storeContract(t, { open: () => openStore({ dataDir, log }), shared: true })
})

await t.test('the embedded database in memory', (t) =>
  storeContract(t, { open: () => openStore({ dataDir: ':memory:', log }), shared: false }),
)

await t.test('what was committed is there after the file is opened again', async (t) => {
  const dataDir = t.testdir()
  const [row, record] = [credential(), auditRecord()]
  const first = await openStore({ dataDir, log })
  await first.insertCredential(row)
  await first.appendAudit([record])
  await first.close()
  const second = await openStore({ dataDir, log })
  t.teardown(() => second.close())
  t.same(await second.findCredential(row.ulid), row)
  t.same((await second.readAudit({ limit: 2 })).records, [record])
})

await t.test('a new data folder is for its owner alone', async (t) => {
  const dataDir = join(t.testdir(), 'data')
  await (await openStore({ dataDir, log })).close()
  t.equal(statSync(dataDir).mode & 0o077, 0)
})

await t.test('the file has a write-ahead log, so that reading does not wait for writing', async (t) => {
  const dataDir = t.testdir()
  await (await openStore({ dataDir, log })).close()
  const file = new Database(join(dataDir, 'service.sqlite'))
  t.teardown(() => file.close())
  t.equal(file.pragma('journal_mode', { simple: true }), 'wal')
})

await t.test('a database from which a newer version took something away is refused in a sentence that says so', async (t) => {
  const dataDir = t.testdir()
  await (await openStore({ dataDir, log })).close()
  const file = new Database(join(dataDir, 'service.sqlite'))
  file.prepare('insert into svc_migrations (at, hash, applied_at) values (?, ?, ?)').run(Date.UTC(2099, 0, 2), 'x', 'later')
  file.close()
  await t.rejects(openStore({ dataDir, log }), { statusCode: 503, code: 'DATABASE_NEWER', message: /newer version.*2099-01-02/ })
})

await t.test('a database to which a newer version only added is used as it is', async (t) => {
  const dataDir = t.testdir()
  await (await openStore({ dataDir, log })).close()
  const file = new Database(join(dataDir, 'service.sqlite'))
  file.prepare('insert into svc_layout (at, hash, applied_at) values (?, ?, ?)').run(Date.UTC(2099, 0, 2), 'x', 'later')
  file.close()
  const store = await openStore({ dataDir, log })
  t.teardown(() => store.close())
  await t.resolves(store.ping())
})

await t.test('the first version starts again on a database that was brought up to date, and what it writes is read', async (t) => {
  const dataDir = t.testdir()
  const file = new Database(join(dataDir, 'service.sqlite'))
  t.teardown(() => file.close())
  for (const statement of firstLayout('sqlite')) file.exec(statement)
  const store = await openStore({ dataDir, log })
  t.teardown(() => store.close())
  // As commit a4b98a9 looks at it, and writes (`db/migrations.ts`, `db/sqlite.ts` of it, read 2026-11-25).
  t.same(file.prepare('select at from svc_migrations').pluck().all(), [knownMigrations('sqlite')[0]?.at])
  file.exec(`insert into svc_audit
      (id, time, account, key, identity, method, route, network, status, duration_ms, request_id, action, effects, tx_hash, error)
    values ('old', 1795264679988, 'acme', '01A', null, 'POST', '/r', '1', 200, 1.5, 'q', 'delegate', '{}', '0xef', null)
    on conflict (id) do nothing`)
  t.match((await store.readAudit({ limit: 2, transaction: '0xef' })).records, [{ id: 'old', rev: 0, count: 1, protocol: null }])
})

await t.test('a contraction is refused by a version that does not bring what it needs, and by no other', async (t) => {
  const known = knownMigrations('sqlite')
  const [before, newest] = known.slice(-2)
  const file = new Database(':memory:')
  t.teardown(() => file.close())
  migrateSqlite(file, [
    ...known,
    { at: Date.UTC(2099, 0, 2), hash: 'x', tag: '', statements: ['drop index svc_audit_error'], needs: newest!.at },
  ])
  migrateSqlite(file, known)
  t.throws(
    () =>
      migrateSqlite(
        file,
        known.filter((migration) => migration !== newest),
      ),
    { code: 'DATABASE_NEWER' },
  )
  migrateSqlite(
    file,
    known.filter((migration) => migration !== before),
  )
})

await t.test('a database of the first layout is brought up to date with what is in it', async (t) => {
  const dataDir = t.testdir()
  const file = new Database(join(dataDir, 'service.sqlite'))
  for (const statement of firstLayout('sqlite')) file.exec(statement)
  file.close()
  const store = await openStore({ dataDir, log })
  t.teardown(() => store.close())
  await readsFirstLayout(t, store)
})

await t.test('a file that is no database is refused in a sentence that names it', async (t) => {
  const dataDir = t.testdir()
  writeFileSync(join(dataDir, 'service.sqlite'), 'x'.repeat(5_000))
  await t.rejects(openStore({ dataDir, log }), { code: 'DATABASE_DAMAGED', message: /service\.sqlite/ })
})

await t.test('a data folder that cannot be made is refused in a sentence that names it', async (t) => {
  const folder = t.testdir({ file: 'text' })
  const dataDir = join(folder, 'file', 'data')
  await t.rejects(openStore({ dataDir, log }), { code: 'DATA_FOLDER_UNUSABLE', message: new RegExp(`${dataDir}.*ENOTDIR`) })
})

await t.test('no place to keep the state in is refused', async (t) => {
  await t.rejects(openStore({ log }), { code: 'DATABASE_UNSET' })
})

await t.test('a second server on a data folder is refused until the first lets go', async (t) => {
  const folder = join(t.testdir(), 'data')
  const first = lockDataFolder(folder)
  t.throws(() => lockDataFolder(folder), { code: 'DATA_IN_USE', message: new RegExp(folder) })
  first.release()
  lockDataFolder(folder).release()
})

await t.test('the lock of a killed process is free at once, and other processes see a living one', async (t) => {
  const folder = join(t.testdir(), 'data')
  const holder = child('lock', folder)
  t.equal(await holder.line(), 'locked')
  t.throws(() => lockDataFolder(folder), { code: 'DATA_IN_USE' })
  process.kill(holder.pid, 'SIGKILL')
  await holder.ended
  lockDataFolder(folder).release()
})

await t.test('another process opens and changes the database alongside a server that holds the lock', async (t) => {
  const folder = join(t.testdir(), 'data')
  const lock = lockDataFolder(folder)
  const store = await openStore({ dataDir: folder, log })
  t.teardown(async () => {
    await store.close()
    lock.release()
  })
  const row = credential()
  await store.insertCredential(row)
  const other = child('deactivate', folder, row.ulid)
  t.same([await other.line(), await other.line()], ['opens', 'true'])
  await other.ended
  t.equal((await store.findCredential(row.ulid))?.active, false)
})

await t.test('processes that open a new database at the same time all get it', async (t) => {
  const folder = join(t.testdir(), 'data')
  const all = [1, 2, 3].map(() => child('ping', folder))
  for (const { line } of all) t.same([await line(), await line()], ['opens', 'answers'])
  await Promise.all(all.map(({ ended }) => ended))
})

await t.test('who opens a database that another process brings up to date waits for longer than a write does', async (t) => {
  const folder = t.testdir()
  const holder = new Database(join(folder, 'service.sqlite'))
  t.teardown(() => holder.close())
  holder.exec('begin exclusive')
  const { line, ended } = child('ping', folder)
  t.equal(await line(), 'opens')
  t.equal(await endsSoon(ended), false)
  holder.exec('rollback')
  t.equal(await line(), 'answers')
  await ended
})

await t.test('who answers no requests waits with a write for a service that stands still in the midst of its own', async (t) => {
  const folder = t.testdir()
  const store = await openStore({ dataDir: folder, log })
  t.teardown(() => store.close())
  const row = credential()
  await store.insertCredential(row)
  const holder = new Database(join(folder, 'service.sqlite'))
  t.teardown(() => holder.close())
  const { line, tell, ended } = child('deactivate when told', folder, row.ulid)
  t.same([await line(), await line()], ['opens', 'open'])
  holder.exec('begin immediate')
  tell()
  t.equal(await endsSoon(ended), false)
  holder.exec('rollback')
  t.equal(await line(), 'true')
  await ended
})

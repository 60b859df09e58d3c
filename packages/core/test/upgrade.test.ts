import { join } from 'node:path'
import { emptySchema, freshSchema, skipPostgres } from '@svc/testing/postgres'
import Database from 'better-sqlite3'
import t from 'tap'
import { knownMigrations } from '../src/db/migrations.ts'
import { openStore, readUpgrade } from '../src/index.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const indexes = (dialect: 'sqlite' | 'postgres', tag: string) =>
  (knownMigrations(dialect).find((one) => one.tag === tag)?.statements ?? []).filter((text) =>
    /CREATE (UNIQUE )?INDEX \S+ ON ["`]svc_audit["`]/.test(text),
  ).length

t.test('what a start would change of the embedded database is told with its rows, and nothing is changed', async (t) => {
  const dataDir = t.testdir()
  t.same(await readUpgrade({ dataDir }), { dialect: 'sqlite', isEmpty: true, pending: [], seconds: 0 })
  await (await openStore({ dataDir, log })).close()
  t.same(await readUpgrade({ dataDir }), { dialect: 'sqlite', isEmpty: false, pending: [], seconds: 0 })
  const database = new Database(join(dataDir, 'service.sqlite'))
  database.exec(`insert into svc_audit (rowid, id, time, account, key, method, route, status, duration_ms, request_id)
    values (4000000, 'a', 0, '', '', '', '', 0, 0, '')`)
  const known = knownMigrations('sqlite')
  // From the last one on that has an index of the log.
  const count = known.length - known.findLastIndex(({ tag }) => indexes('sqlite', tag) > 0)
  const noted = database.prepare<[number], { at: number }>('select at from svc_layout order by at desc limit ?').all(count)
  for (const { at } of noted) database.prepare('delete from svc_layout where at = ?').run(at)
  const { count: before } = database.prepare<[], { count: number }>('select count(*) as count from svc_layout').get()!
  const { pending, seconds } = await readUpgrade({ dataDir })
  t.same(
    pending.map(({ tag }) => tag),
    known.slice(-noted.length).map(({ tag }) => tag),
  )
  t.ok(pending.every(({ isExpansion }) => isExpansion))
  const all = pending.reduce((sum, { tag }) => sum + indexes('sqlite', tag), 0)
  t.ok(all > 0)
  t.equal(
    pending.reduce((sum, { rows }) => sum + rows, 0),
    all * 4_000_000,
    'each index of the log is built of all its rows',
  )
  t.equal(seconds, (all * 4_000_000) / 2_000_000)
  t.equal(database.prepare<[], { count: number }>('select count(*) as count from svc_layout').get()!.count, before)
  database.close()
})

t.test('the same of PostgreSQL', { skip: skipPostgres }, async (t) => {
  const none = await freshSchema()
  t.teardown(() => none.drop())
  t.same(await readUpgrade({ databaseUrl: none.url, dataDir: '' }), { dialect: 'postgres', isEmpty: true, pending: [], seconds: 0 })
  const schema = await emptySchema()
  t.teardown(() => schema.drop())
  await (await openStore({ databaseUrl: schema.url, log })).close()
  t.same(await readUpgrade({ databaseUrl: schema.url, dataDir: '' }), { dialect: 'postgres', isEmpty: false, pending: [], seconds: 0 })
  const [last] = await schema.query('select at, hash, needs, steps, applied_at from svc_layout order by at desc limit 1')
  await schema.query('delete from svc_layout where at = $1', [last?.at])
  const { pending } = await readUpgrade({ databaseUrl: schema.url, dataDir: '' })
  t.match(pending, [{ tag: knownMigrations('postgres').at(-1)?.tag, isExpansion: true }])
  await schema.query('insert into svc_layout (at, hash, needs, steps, applied_at) values ($1, $2, $3, $4, $5)', Object.values(last ?? {}))
  await t.rejects(readUpgrade({ databaseUrl: 'postgres://svc:hidden@127.0.0.1:1/svc', dataDir: '' }))
})

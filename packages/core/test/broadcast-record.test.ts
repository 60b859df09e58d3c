import { spawn } from 'node:child_process'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { eventually } from '@svc/testing/eventually'
import { desk, memoryLog } from '@svc/testing/paper'
import { freshDatabase, skipPostgres } from '@svc/testing/postgres'
import Database from 'better-sqlite3'
import pg from 'pg'
import t, { type Test } from 'tap'
import { openStore, type Store } from '../src/index.ts'
import { serve } from './support/serve.ts'

const log = memoryLog()
const signed = { signed_text: 'paper|seal' }

/** A service on a state of its own: `broken` is called once a key was used, and must keep anything from being recorded. */
async function refusesWhile(t: Test, state: Store, broken: () => unknown, mended: () => unknown): Promise<void> {
  const fetch = desk()
  const { call, records } = await serve(t, { state, fetch, store: knowingKeys })
  t.equal((await call('POST', 'action/prepare', { unsigned_text: 'paper', seal: 'seal' })).statusCode, 200)
  await broken()
  const reply = await call('POST', 'action/broadcast', signed)
  t.match(reply.json(), { statusCode: 503, tx_hash: undefined })
  t.match(reply.json().code, /^(AUDIT|DATABASE)_UNAVAILABLE$/)
  t.notOk(fetch.asked.includes('post'), 'nothing was sent')
  await mended()
  await eventually('a record of it', async () => (await records(2)).some(({ status }) => status === 503))
  t.match(await records(2), [{ action: 'prepare' }, { action: 'broadcast', status: 503, txHash: null }], 'it says so in the end')
  t.equal((await records(2)).length, 2)
  t.equal((await call('POST', 'action/broadcast', signed)).statusCode, 200, 'and the next one goes out')
  t.ok(fetch.asked.includes('post'))
}

/** A key is read again when what is known of it is four seconds old, and a request without a key is on nobody's record: here a key is known for good, however slow the machine. */
function knowingKeys(real: Store): Store {
  const rows = new Map<string, ReturnType<Store['findCredential']>>()
  return {
    ...real,
    findCredential(ulid) {
      const row = rows.get(ulid) ?? real.findCredential(ulid)
      rows.set(ulid, row)
      return row
    },
  }
}

async function embedded(t: Test): Promise<{ store: Store; file: string }> {
  const dataDir = t.testdir()
  const store = await openStore({ dataDir, log, serves: true })
  t.teardown(() => store.close())
  return { store, file: join(dataDir, 'service.sqlite') }
}

t.test('nothing is broadcast while another process locks the embedded database', async (t) => {
  const { store, file } = await embedded(t)
  const other = new Database(file)
  t.teardown(() => other.close())
  await refusesWhile(
    t,
    store,
    () => other.exec('begin immediate'),
    () => other.exec('rollback'),
  )
})

t.test('nothing is broadcast while the file of the embedded database is gone, or another one stands in its place', async (t) => {
  for (const other of [false, true]) {
    const { store, file } = await embedded(t)
    await refusesWhile(
      t,
      store,
      () => {
        renameSync(file, `${file}.away`)
        if (other) new Database(file).exec('create table t (a)').close()
      },
      () => renameSync(`${file}.away`, file),
    )
  }
})

async function shared(t: Test) {
  const database = await freshDatabase()
  const store = await openStore({ databaseUrl: database.url, log })
  t.teardown(async () => {
    await store.close()
    await database.drop()
  })
  return { store, ...database }
}

const hangUp = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '$database'`

t.test('nothing is broadcast while PostgreSQL is read-only', { skip: skipPostgres }, async (t) => {
  const { store, query } = await shared(t)
  await refusesWhile(
    t,
    store,
    async () => {
      await query('alter database $database set default_transaction_read_only = on')
      await query(hangUp)
    },
    async () => {
      await query('alter database $database reset default_transaction_read_only')
      await query(hangUp)
    },
  )
})

t.test('nothing is broadcast while PostgreSQL takes no connection', { skip: skipPostgres }, async (t) => {
  const { store, query } = await shared(t)
  await refusesWhile(
    t,
    store,
    async () => {
      await query('alter database $database allow_connections false')
      await query(hangUp)
    },
    () => query('alter database $database allow_connections true'),
  )
})

t.test('nothing is broadcast while a write to PostgreSQL hangs, though it takes effect later', { skip: skipPostgres }, async (t) => {
  const { store, url } = await shared(t)
  const holder = new pg.Client({ connectionString: url })
  await holder.connect()
  t.teardown(() => holder.end())
  await refusesWhile(
    t,
    store,
    () => holder.query('begin; lock table svc_audit in access exclusive mode'),
    () => holder.query('rollback'),
  )
})

/** Kills a broadcasting process in the midst of it. @returns hashes of everything that had left it */
async function killed(dataDir: string, databaseUrl = ''): Promise<Set<string>> {
  const child = spawn(
    process.execPath,
    ['--conditions=@svc/source', join(import.meta.dirname, 'broadcast-child.ts'), dataDir, databaseUrl],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  const sent = new Set<string>()
  for await (const line of createInterface(child.stdout)) {
    sent.add(`h-${line}`)
    if (sent.size === 12) child.kill('SIGKILL')
  }
  return sent
}

async function allRecorded(t: Test, sent: ReadonlySet<string>, store: Store): Promise<void> {
  t.ok(sent.size >= 12)
  const { records } = await store.readAudit({ limit: 10_000 })
  const known = new Set(records.map(({ txHash }) => txHash))
  t.same(
    [...sent].filter((hash) => !known.has(hash)),
    [],
    'everything that left is on record',
  )
  t.ok(
    records.some(({ status, txHash }) => status === 0 && sent.has(txHash!)),
    'what had not come back is unfinished',
  )
}

t.test('what a killed process had sent is on record', async (t) => {
  const dataDir = t.testdir()
  const sent = await killed(dataDir)
  const store = await openStore({ dataDir, log })
  t.teardown(() => store.close())
  await allRecorded(t, sent, store)
})

t.test('what a killed process had sent is on record in PostgreSQL too', { skip: skipPostgres }, async (t) => {
  const { store, url } = await shared(t)
  await allRecorded(t, await killed('', url), store)
})

import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@svc/testing/eventually'
import { memoryLog } from '@svc/testing/paper'
import { freshDatabase, skipPostgres } from '@svc/testing/postgres'
import Database from 'better-sqlite3'
import t, { type Test } from 'tap'
import { openStore, type Store } from '../src/index.ts'
import { credential } from './db/samples.ts'
import { serve } from './support/serve.ts'

const following = { status: 'up', due_age_seconds: 0 }
const unknown = { status: 'unknown', due_age_seconds: null }
const UP = { database: { status: 'up' }, audit: { status: 'up', unsaved: 0 }, following }
const database = { status: 'down', message: 'The database cannot be read and written.' }
const DOWN = {
  status: 'error',
  info: { audit: UP.audit, following: unknown },
  error: { database },
  details: { database, audit: UP.audit, following: unknown },
}
const well = { status: 'ok', info: UP, error: {}, details: UP }

t.test('health is 200 with a report while the database answers, without a key', async (t) => {
  const { call } = await serve(t)
  const reply = await call('GET', '/api/v1/health', undefined, {})
  t.equal(reply.statusCode, 200)
  t.same(reply.json(), well)
})

t.test('a wrong key does not matter to health', async (t) => {
  const { call } = await serve(t)
  t.equal((await call('GET', '/api/v1/health', undefined, { 'x-api-key': 'wrong' })).statusCode, 200)
})

t.test('while the database does not answer health is 503 with a report, and hides the reason', async (t) => {
  let away = true
  const { call, log } = await serve(t, {
    store: (real) => ({
      ...real,
      ping: async () => {
        if (away) throw new Error('no route to postgres://secret')
      },
    }),
  })
  const reply = await call('GET', '/api/v1/health', undefined, {})
  t.same([reply.statusCode, reply.json()], [503, DOWN])
  t.equal(reply.headers['retry-after'], '5')
  t.ok(log.some(({ msg, err }) => msg === 'the database does not answer' && err))
  away = false
  await eventually('it is asked again', async () => (await call('GET', '/api/v1/health', undefined, {})).statusCode === 200)
})

t.test('a flood of health asks the database once a second', async (t) => {
  let asked = 0
  const { call } = await serve(t, {
    store: (real) => ({
      ...real,
      ping() {
        asked++
        return real.ping()
      },
    }),
  })
  const replies = await Promise.all(Array.from({ length: 50 }, () => call('GET', '/api/v1/health', undefined, {})))
  for (const { statusCode } of replies) t.equal(statusCode, 200)
  t.equal(asked, 1)
})

t.test('records that cannot be saved are counted, and are no health', async (t) => {
  let away = true
  const { call } = await serve(t, {
    store: (real) => ({
      ...real,
      async appendAudit(records) {
        if (away) throw new Error('disk full')
        await real.appendAudit(records)
      },
    }),
  })
  await call('POST', 'action/give', { address: 'p001', amount: 1 })
  const audit = { status: 'down', message: 'Records of the audit log cannot be saved.', unsaved: 2 }
  const reply = await call('GET', '/api/v1/health', undefined, {})
  t.same(
    [reply.statusCode, reply.json()],
    [
      503,
      {
        ...{ status: 'error', info: { database: UP.database, following }, error: { audit } },
        details: { database: UP.database, audit, following },
      },
    ],
  )
  away = false
  await eventually('they are saved', async () => (await call('GET', '/api/v1/health', undefined, {})).statusCode === 200)
  t.same((await call('GET', '/api/v1/health', undefined, {})).json(), well)
})

/** Health while a state is broken in some way. */
async function unwell(t: Test, state: Store, broken: () => unknown): Promise<void> {
  const { call } = await serve(t, { state })
  const health = async () => (await call('GET', '/api/v1/health', undefined, {})).statusCode
  t.equal(await health(), 200)
  await broken()
  await eventually('health is 503', async () => (await health()) === 503)
}

t.test('an embedded database that is locked, damaged or gone is no health', async (t) => {
  const open = async (fill = 0) => {
    const dataDir = t.testdir()
    const state = await openStore({ dataDir, log: memoryLog() })
    t.teardown(() => state.close())
    for (let count = 0; count < fill; count++) await state.insertCredential(credential())
    return { state, file: join(dataDir, 'service.sqlite') }
  }
  const locked = await open()
  const other = new Database(locked.file)
  t.teardown(() => other.close())
  await unwell(t, locked.state, () => other.exec('begin exclusive'))
  other.exec('rollback')

  const damaged = await open(500)
  await unwell(t, damaged.state, () => {
    const writer = new Database(damaged.file)
    writer.pragma('wal_checkpoint(truncate)')
    writer.exec('update svc_credentials set name = name')
    writer.pragma('wal_checkpoint(truncate)')
    const { page_size: size } = (writer.pragma('page_size') as [{ page_size: number }])[0]
    writer.close()
    const bytes = readFileSync(damaged.file)
    bytes.fill(0x5a, size)
    writeFileSync(damaged.file, bytes)
  })

  const gone = await open()
  await unwell(t, gone.state, () => renameSync(gone.file, `${gone.file}.away`))
})

t.test('PostgreSQL that is read-only is no health', { skip: skipPostgres }, async (t) => {
  const { url, query, drop } = await freshDatabase()
  const state = await openStore({ databaseUrl: url, log: memoryLog() })
  t.teardown(async () => {
    await state.close()
    await drop()
  })
  await unwell(t, state, async () => {
    await query('alter database $database set default_transaction_read_only = on')
    await query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '$database'`)
  })
})

t.test('what says that the process lives asks nothing of the database, what says that it is ready does', async (t) => {
  let asked = 0
  let away = false
  const { call, clock } = await serve(t, {
    config: { limits: { address_per_minute: 1 } },
    store: (real) => ({
      ...real,
      async ping() {
        asked++
        if (away) throw new Error('away')
      },
    }),
  })
  t.match(await call('GET', '/livez', undefined, {}), {
    statusCode: 200,
    body: 'ok\n',
    headers: { 'content-type': /^text\/plain/, 'x-signature': /./ },
  })
  t.equal(asked, 0)
  t.match(await call('GET', '/readyz', undefined, {}), { statusCode: 200, body: 'ok\n' })
  t.equal(asked, 1)
  t.equal((await call('GET', '/api/v1/health', undefined, {})).statusCode, 200)
  t.equal(asked, 1, 'one finding serves both')
  away = true
  clock.now = new Date(clock.now.getTime() + 60_000)
  await eventually('it is asked again', async () => (await call('GET', '/readyz', undefined, {})).statusCode === 503)
  const reply = await call('GET', '/readyz', undefined, {})
  t.match(reply, { statusCode: 503, body: 'not ready\n', headers: { 'retry-after': '5' } })
  t.equal((await call('GET', '/livez', undefined, {})).statusCode, 200, 'and neither counts against a limit')
})

t.test('whom to tell of a vulnerability is what the config says, and nothing where it says nothing', async (t) => {
  const none = await serve(t)
  t.equal((await none.call('GET', '/.well-known/security.txt', undefined, {})).statusCode, 404)
  const { call } = await serve(t, {
    config: {
      public_url: 'https://staking.example/p',
      security_txt: {
        contact: ['mailto:security@staking.example', 'https://staking.example/report'],
        expires: '2999-01-31',
        preferred_languages: ['en', 'de'],
        policy: 'https://staking.example/policy',
      },
    },
  })
  const reply = await call('GET', '/.well-known/security.txt', undefined, {})
  t.equal(reply.statusCode, 200)
  t.equal(reply.headers['content-type'], 'text/plain; charset=utf-8')
  t.equal(
    reply.body,
    `Contact: mailto:security@staking.example
Contact: https://staking.example/report
Expires: 2999-01-31T00:00:00.000Z
Preferred-Languages: en, de
Policy: https://staking.example/policy
Canonical: https://staking.example/.well-known/security.txt
`,
  )
})

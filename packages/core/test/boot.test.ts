import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { freePort } from '@svc/testing/free-ports'
import { memoryLog } from '@svc/testing/paper'
import { freshDatabase, skipPostgres } from '@svc/testing/postgres'
import t, { type Test } from 'tap'
import {
  type ConfigInput,
  createCredential,
  createServer as createService,
  generateSigningKey,
  inspectState,
  openStore,
  type Peppers,
  parseConfig,
  start,
} from '../src/index.ts'
import { credential } from './db/samples.ts'
import { paper } from './support/paper-plugin.ts'
import { input, signer } from './support/serve.ts'

const signing_key = await generateSigningKey()
const ONE = 'the first pepper, long enough for a config'
const TWO = 'the second pepper, long enough for a config'
const plugins = { '@svc/plugin-paper': { ...input.plugins['@svc/plugin-paper']!, module: paper } }
const configOf = (data_dir: string, over: Partial<ConfigInput> = {}) =>
  parseConfig({ ...input, plugins, data_dir, listen: { port: 0 }, signing_key, peppers: [ONE], ...over }, {})

/** Starts the service; it is stopped when the test ends. */
async function started(t: Test, config: ReturnType<typeof configOf>) {
  const log: Record<string, unknown>[] = []
  const logger = { level: 'info', stream: { write: (line: string) => void log.push(JSON.parse(line)) } }
  const service = await start({ config, file: import.meta.filename, places: [import.meta.filename] }, { logger })
  t.teardown(() => service.close())
  return { ...service, log, messages: log.map(({ msg }) => String(msg)).join('\n') }
}

t.test('the service starts while Redis is away, says so, and limits by itself; svc check calls it a problem', async (t) => {
  const redis_url = `redis://127.0.0.1:${await freePort()}`
  const config = configOf(t.testdir(), { redis_url, limits: { address_per_minute: 2 } })
  const { address, messages } = await started(t, config)
  t.match(messages, /Redis at 127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED.* Each instance limits on its own until it does\./)
  const statuses: number[] = []
  for (let count = 0; count < 3; count++) statuses.push((await fetch(`${address}/api/v1/apikeys`)).status)
  t.same(statuses, [401, 401, 429])
  t.match(
    (await inspectState(config, config.data_dir, [])).find(({ part }) => part === 'redis'),
    { problem: true, text: /does not answer/ },
  )
  await t.rejects(started(t, configOf(t.testdir(), { redis_url: 'http://127.0.0.1' })), {
    name: 'SettingsError',
    message: /address of Redis/,
  })
})

t.test('a pepper that no key was made with keeps the service from starting; an old one behind it is a rotation', async (t) => {
  const data_dir = t.testdir()
  const first = await started(t, configOf(data_dir))
  const { value, record } = await createCredential(first.store, [ONE], new Date(), { kind: 'key', account: 'acme', name: 'n' })
  t.match(record.pepper, /^[0-9a-f]{16}$/)
  await first.close()

  const wrong = configOf(data_dir, { peppers: [TWO] })
  await t.rejects(started(t, wrong), {
    name: 'SettingsError',
    message: new RegExp(
      `none of the 1 API keys and management tokens .* theirs ${record.pepper}\\).* List the former one behind the present one in peppers\\.`,
    ),
  })
  const pepper = async (config: typeof wrong) => (await inspectState(config, data_dir, [])).find(({ part }) => part === 'peppers')
  t.match(await pepper(wrong), { problem: true, text: /^none of the 1 / })

  const rotated = configOf(data_dir, { peppers: [TWO, ONE] })
  t.match(await pepper(rotated), { problem: false, text: new RegExp(record.pepper!) })
  const second = await started(t, rotated)
  t.equal((await fetch(`${second.address}/api/v1/paper/native/networks`, { headers: { 'x-api-key': value } })).status, 200)
  const next = await createCredential(second.store, second.secrets.peppers, new Date(), { kind: 'key', account: 'acme', name: 'n' })
  t.not(next.record.pepper, record.pepper)
  await second.close()

  const dropped = await started(t, configOf(data_dir, { peppers: [TWO] }))
  t.match(dropped.messages, /peppers: 1 of 2 API keys and management tokens are refused/)
  t.match(await pepper(wrong), { problem: true, text: /^1 of 2 / })
  t.notMatch(dropped.messages + (await pepper(wrong))!.text, /long enough/)
})

t.test('a database with damaged pages keeps the service from starting, and svc check names it', async (t) => {
  const data_dir = t.testdir()
  const store = await openStore({ dataDir: data_dir, log: memoryLog() })
  for (let count = 0; count < 500; count++) await store.insertCredential(credential())
  await store.close()
  const config = configOf(data_dir)
  const database = async () => (await inspectState(config, data_dir, [])).find(({ part }) => part === 'database')
  t.match(await database(), { problem: false, text: /up to date$/ })
  const file = join(data_dir, 'service.sqlite')
  const bytes = readFileSync(file)
  bytes.fill(0x5a, bytes.length - 40 * 4096, bytes.length - 4096)
  writeFileSync(file, bytes)
  await t.rejects(started(t, config), {
    code: 'DATABASE_DAMAGED',
    message: /service\.sqlite is damaged \(.+\)\. Stop the service and restore it/,
  })
  t.match(await database(), { problem: true, text: /is damaged/ })
})

t.test('PostgreSQL that is read-only is a problem for svc check', { skip: skipPostgres }, async (t) => {
  const { url, query, drop } = await freshDatabase()
  t.teardown(drop)
  const config = configOf(t.testdir(), { database_url: url })
  const database = async () => (await inspectState(config, config.data_dir, [])).find(({ part }) => part === 'database')
  t.match(await database(), { problem: false, text: /empty; the first start prepares it/ })
  await (await openStore({ databaseUrl: url, log: memoryLog() })).close()
  t.match(await database(), { problem: false, text: /up to date/ })
  await query('alter database $database set default_transaction_read_only = on')
  t.match(await database(), { problem: true, text: /cannot be used: it is read-only/ })
})

t.test("keys expire by the database's clock, whatever this machine takes the time to be", { skip: skipPostgres }, async (t) => {
  const { url, drop } = await freshDatabase()
  const log = memoryLog()
  const store = await openStore({ databaseUrl: url, log })
  const peppers: Peppers = [ONE]
  const now = Date.now()
  const made = (minutes: number) =>
    createCredential(store, peppers, new Date(now), {
      kind: 'key',
      account: 'acme',
      name: 'n',
      expirationDate: new Date(now + minutes * 60_000),
    })
  const later = await made(30)
  const sooner = await made(0.001)
  mock.timers.enable({ apis: ['Date'], now: now + 3_600_000 })
  t.teardown(async () => {
    mock.timers.reset()
    await store.close()
    await drop()
  })
  const loaded = [{ name: paper.protocol.name, version: '1', plugin: paper }]
  const app = await createService({ config: parseConfig({ ...input }, {}), plugins: loaded, store, signer, peppers, logger: false })
  t.teardown(() => app.close())
  const ask = async (key: string) => (await app.inject({ url: '/api/v1/paper/native/networks', headers: { 'x-api-key': key } })).statusCode
  t.equal(await ask(later.value), 200, 'half an hour is left, though here it is an hour later')
  t.equal(await ask(sooner.value), 401)
  t.ok(Math.abs(store.now().getTime() - now) < 60_000)
  const warning = log.lines.find(({ message }) => message.includes("differs from the database's"))
  t.ok(warning && Math.abs(Number(warning.details.skewMs) - 3_600_000) < 60_000)
})

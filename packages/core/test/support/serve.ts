import type { ProtocolPlugin } from '@svc/contract'
import { eventually } from '@svc/testing/eventually'
import { desk, memoryLog } from '@svc/testing/paper'
import { emptySchema } from '@svc/testing/postgres'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import {
  type AuditRecord,
  type ConfigInput,
  createCredential,
  createMetrics,
  createServer,
  freshSigner,
  type LoadedPlugin,
  type Metrics,
  openStore,
  type Peppers,
  type Pulse,
  parseConfig,
  type ServerOptions,
  type Signer,
  type Store,
} from '../../src/index.ts'
import { inMemory } from './databases.ts'
import { paper } from './paper-plugin.ts'

export const signer = await freshSigner()
export const peppers: Peppers = ['a pepper that is long enough for the config']

const plugin = {
  networks: {
    1: { name: 'paper one', endpoints: { desk: ['http://desk.invalid'] }, clerk: 'p002' },
    2: { name: 'paper two', endpoints: { desk: ['http://desk.invalid'] }, clerk: 'p003' },
  },
}

/** Two networks; acme uses everything, beta nothing, gamma the second network with a clerk of its own. */
export const input: ConfigInput = {
  plugins: { '@svc/plugin-paper': plugin },
  accounts: {
    acme: { name: 'Acme' },
    beta: { name: 'Beta', plugins: {} },
    gamma: { name: 'Gamma', plugins: { '@svc/plugin-paper': { networks: { 2: { clerk: 'p009' } } } } },
  },
}

/** The embedded database in memory, or a schema of its own in the database of DATABASE_URL: for what the databases may do in different ways. */
export async function testStore(t: Test): Promise<Store> {
  if (!process.env.DATABASE_URL) return inMemory(t)
  const schema = await emptySchema()
  const store = await openStore({ databaseUrl: schema.url, log: memoryLog() })
  t.teardown(async () => {
    await store.close()
    await schema.drop()
  })
  return store
}

export interface ServeOptions {
  readonly config?: Partial<ConfigInput>
  readonly plugins?: readonly ProtocolPlugin[]
  readonly fetch?: typeof fetch
  /** @default one that all tests share */
  readonly signer?: Signer
  readonly peppers?: Peppers
  /** What makes it follow. @default nothing, so that a test is asked nothing that it did not ask */
  readonly pulse?: Pulse
  /** Folder of a built dashboard. */
  readonly dashboard?: string
  readonly intents?: ServerOptions['intents']
  /** @default 2026-11-21T12:00:00Z */
  readonly now?: Date
  readonly webhooks?: ServerOptions['webhooks']
  readonly tracing?: ServerOptions['tracing']
  /** @default the embedded database, in memory */
  readonly state?: Store
  /** Changes the store that the server sees. */
  readonly store?: (real: Store) => Store
}

export interface ServedApp {
  readonly app: FastifyInstance
  readonly store: Store
  /** Moves the wall clock. */
  readonly clock: { now: Date }
  readonly log: Record<string, any>[]
  readonly metrics: Metrics
  key(account?: string, expirationDate?: string): Promise<{ value: string; ulid: string }>
  token(account?: string): Promise<{ value: string; ulid: string }>
  /** A call with a key of acme unless other headers are given. */
  call(method: string, url: string, body?: unknown, headers?: Record<string, string>): Promise<LightMyRequestResponse>
  /** Records of the audit log, oldest first, once there are that many. */
  records(count: number): Promise<readonly AuditRecord[]>
}

/** `serve` with the state of `testStore`: for what is read back from it. */
export async function serveStored(t: Test, options: ServeOptions = {}): Promise<ServedApp> {
  return serve(t, { state: await testStore(t), ...options })
}

/** The server in this process, on a fake family. */
export async function serve(t: Test, options: ServeOptions = {}): Promise<ServedApp> {
  const real = options.state ?? (await inMemory(t))
  const store = options.store?.(real) ?? real
  const clock = { now: options.now ?? new Date('2026-11-21T12:00:00Z') }
  const log: Record<string, any>[] = []
  const metrics = createMetrics()
  const config = parseConfig({ ...input, ...options.config }, {})
  const loaded = (options.plugins ?? [paper]).map((plugin): LoadedPlugin => ({ name: plugin.protocol.name, version: '1', plugin }))
  const app = await createServer({
    config,
    plugins: loaded,
    store,
    signer: options.signer ?? signer,
    peppers: options.peppers ?? peppers,
    ...(options.dashboard === undefined ? {} : { dashboard: options.dashboard }),
    ...(options.intents === undefined ? {} : { intents: options.intents }),
    version: '1.2.3',
    metrics,
    logger: { level: 'trace', stream: { write: (line: string) => void log.push(JSON.parse(line)) } },
    now: () => clock.now,
    fetch: options.fetch ?? desk(),
    pulse: options.pulse ?? { start: () => () => undefined },
    ...(options.webhooks === undefined ? {} : { webhooks: options.webhooks }),
    ...(options.tracing === undefined ? {} : { tracing: options.tracing }),
  })
  t.teardown(() => app.close())
  const mint = async (kind: 'key' | 'token', account: string, expirationDate?: string) => {
    const { value, record } = await createCredential(real, peppers, clock.now, { kind, account, name: 'test', expirationDate })
    return { value, ulid: record.ulid }
  }
  let own: Promise<{ value: string }> | undefined
  return {
    app,
    store: real,
    clock,
    log,
    metrics,
    key: (account = 'acme', expirationDate) => mint('key', account, expirationDate),
    token: (account = 'acme') => mint('token', account),
    async call(method, url, body, headers) {
      if (!headers) own ??= mint('key', 'acme')
      const sent = headers ?? { 'x-api-key': (await own!).value }
      const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
      return app.inject({
        method: method as 'GET',
        url: url.startsWith('/') ? url : `/api/v1/paper/native/${url}`,
        headers: { ...(text === undefined ? {} : { 'content-type': 'application/json' }), ...sent },
        ...(text === undefined ? {} : { payload: text }),
      })
    },
    async records(count) {
      let found: readonly AuditRecord[] = []
      await eventually(`${count} audit records`, async () => {
        found = (await real.readAudit({ limit: 500 })).records
        return found.length >= count
      })
      return found.toReversed()
    },
  }
}

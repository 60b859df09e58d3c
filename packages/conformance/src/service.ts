import { randomBytes } from 'node:crypto'
import type { ProtocolPlugin } from '@svc/contract'
import {
  type Config,
  createCredential,
  createServer,
  freshSigner,
  openStore,
  type Peppers,
  type Pulse,
  parseConfig,
  type Signer,
  type Store,
} from '@svc/core'
import { type Client, createClient } from './http.ts'
import { once } from './once.ts'
import { type RouteSeen, routesOf } from './routes.ts'
import { numberRequests } from './upstream.ts'

/** Account that may use everything, and the one to which the plugin is not there. */
export const FULL = 'full'
export const WITHOUT = 'without'
/** Account with one network of two, made by the group that has two. */
export const NARROW = 'narrow'

/** A line that the service logged. */
interface LogLine {
  /** 60 is fatal. */
  readonly level: number
  readonly [member: string]: unknown
}

export interface ServiceOptions {
  readonly plugin: ProtocolPlugin
  /** Networks by chain id. */
  readonly networks: Config['plugins'][string]['networks']
  readonly fetch: typeof fetch
  readonly accounts?: Config['accounts']
  readonly upstream?: { readonly timeout_ms: number; readonly deadline_ms: number }
  readonly now?: () => Date
  /** Beat at which the service follows transactions, and sends again what no node holds. @default it does neither */
  readonly pulse?: Pulse
  /** Budgets of what it follows. @default those of the config */
  readonly life?: { readonly rereads_per_day: number }
  /** State that holds keys and the audit log; shared by the services of a subject. */
  readonly state: State
}

/** State in memory, and the key of each account that asked for one. */
interface State {
  readonly store: Store
  readonly keys: Map<string, Promise<string>>
}

/** Opens an empty database: in memory, or a schema of its own in the PostgreSQL that `SVC_STATE_URL` names, which goes when the store is closed. */
export async function openState(): Promise<State> {
  const url = process.env.SVC_STATE_URL
  return { store: await (url ? openSchema(url) : openStore({ dataDir: ':memory:', log: SILENT })), keys: new Map() }
}

async function openSchema(address: string): Promise<Store> {
  const { default: pg } = await import('pg')
  const name = `svc_conformance_${randomBytes(8).toString('hex')}`
  const url = new URL(address)
  url.searchParams.set('options', `-c search_path=${name}`)
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  await client.query(`create schema ${name}`)
  const store = await openStore({ dataDir: '', databaseUrl: url.href.replaceAll('+', '%20'), log: SILENT })
  return {
    ...store,
    async close() {
      await store.close()
      await client.query(`set client_min_messages = warning; drop schema ${name} cascade`)
      await client.end()
    },
  }
}

/** The real service with one plugin, listening on 127.0.0.1, its state in memory. */
export interface Service {
  /** `http://127.0.0.1:<port>` */
  readonly url: string
  readonly store: Store
  readonly signer: Signer
  readonly routes: readonly RouteSeen[]
  readonly log: readonly LogLine[]
  /** A caller of the plugin's routes. @param account null: without a key */
  client(account?: string | null): Promise<Client>
  /** An API key of the account that may use everything. */
  key(): Promise<string>
  /** A caller of the routes for people and programs, with a token of that account. */
  operations(): Promise<Client>
  close(): Promise<void>
}

let signer: Promise<Signer> | undefined
const PEPPERS: Peppers = ['conformance conformance conformance conformance']
/** The chain is in the same process, which may have to wait for the machine; late answers are tried by the group `resilience`, with limits of its own. */
export const PATIENT = { timeout_ms: 25_000, deadline_ms: 25_000 }
/** Beyond what the tests do in a minute. */
const UNLIMITED = 1_000_000

/** Starts a service with the plugin on a free port. The caller closes it; its state stays open for the next one. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { protocol } = options.plugin
  signer ??= freshSigner()
  const config = parseConfig(
    {
      plugins: { [protocol.name]: { networks: options.networks } },
      accounts: { [FULL]: { name: 'Everything' }, [WITHOUT]: { name: 'Without the plugin', plugins: {} }, ...options.accounts },
      limits: { key_per_minute: UNLIMITED, address_per_minute: UNLIMITED },
      // Calls are counted, and judged: what the service asks by itself would be among them.
      life: options.pulse ? { follow: true, ...options.life } : { follow: false },
      upstream: options.upstream ?? PATIENT,
    },
    {},
  )
  const log: LogLine[] = []
  const stream = { write: (line: string) => void log.push(JSON.parse(line) as LogLine) }
  const routes = await routesOf(protocol)
  const { store, keys } = options.state
  const app = await createServer({
    config,
    plugins: [{ name: protocol.name, version: '0.0.0', plugin: options.plugin }],
    store,
    signer: await signer,
    peppers: PEPPERS,
    logger: { level: 'info', stream },
    fetch: options.fetch,
    ...(options.now ? { now: options.now } : {}),
    ...(options.pulse ? { pulse: options.pulse } : {}),
  })
  numberRequests(app.server)
  const credentialOf = (kind: 'key' | 'token', account: string): Promise<string> => {
    const credential = createCredential(store, PEPPERS, new Date(), { kind, account, name: 'conformance' })
    return credential.then(({ value }) => value)
  }
  const keyOf = (account: string) => credentialOf('key', account)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return {
    url,
    store,
    signer: await signer,
    routes,
    log,
    client: async (account = FULL) =>
      createClient(`${url}/api/v1${protocol.prefix}`, account === null ? null : await once(keys, account, () => keyOf(account))),
    key: () => once(keys, FULL, () => keyOf(FULL)),
    operations: async () =>
      createClient(`${url}/api/v1`, null, {
        authorization: `Bearer ${await once(keys, `token of ${FULL}`, () => credentialOf('token', FULL))}`,
      }),
    close: () => app.close(),
  }
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

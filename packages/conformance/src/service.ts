import type { ProtocolPlugin } from '@svc/contract'
import {
  type Config,
  createCredential,
  createServer,
  freshSigner,
  openStore,
  type Peppers,
  parseConfig,
  type Signer,
  type Store,
} from '@svc/core'
import { type Client, createClient } from './http.ts'
import { once } from './once.ts'
import { type RouteSeen, routesOf } from './routes.ts'

/** Account that may use everything, and the one to which the plugin is not there. */
export const FULL = 'full'
export const WITHOUT = 'without'
/** Account with one network of two, made by the group that has two. */
export const NARROW = 'narrow'

/** A line that the service logged. */
export interface LogLine {
  /** 60 is fatal. */
  readonly level: number
  readonly [member: string]: unknown
}

export interface ServiceOptions {
  readonly plugin: ProtocolPlugin
  /** By chain id. */
  readonly networks: Config['plugins'][string]['networks']
  readonly fetch: typeof fetch
  readonly accounts?: Config['accounts']
  readonly upstream?: { readonly timeout_ms: number; readonly deadline_ms: number }
  readonly now?: () => Date
  /** Where keys and the audit log are; shared by the services of a subject. */
  readonly state: State
}

/** State in memory, and the key of each account that asked for one. */
export interface State {
  readonly store: Store
  readonly keys: Map<string, Promise<string>>
}

export async function openState(): Promise<State> {
  return { store: await openStore({ dataDir: ':memory:', log: SILENT }), keys: new Map() }
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
  close(): Promise<void>
}

let signer: Promise<Signer> | undefined
const PEPPERS: Peppers = ['conformance conformance conformance conformance']
/** Beyond what the tests do in a minute. */
const UNLIMITED = 1_000_000

export async function startService(options: ServiceOptions): Promise<Service> {
  const { protocol } = options.plugin
  signer ??= freshSigner()
  const config = parseConfig(
    {
      plugins: { [protocol.name]: { networks: options.networks } },
      accounts: { [FULL]: { name: 'Everything' }, [WITHOUT]: { name: 'Without the plugin', plugins: {} }, ...options.accounts },
      limits: { key_per_minute: UNLIMITED, address_per_minute: UNLIMITED },
      // Calls are counted, and judged: what the service asks by itself would be among them.
      life: { follow: false },
      ...(options.upstream ? { upstream: options.upstream } : {}),
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
  })
  const keyOf = (account: string): Promise<string> => {
    const made = createCredential(store, PEPPERS, new Date(), { kind: 'key', account, name: 'conformance' })
    return made.then(({ value }) => value)
  }
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
    close: () => app.close(),
  }
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} }

import {
  createCredential,
  createServer,
  createSigner,
  generateSigningKey,
  openStore,
  type Peppers,
  parseConfig,
  type Signer,
} from '@svc/core'
import { type Sandbox, startSandbox } from '@svc/sandbox'
import type { FastifyInstance } from 'fastify'
import type { Subject } from './subjects/index.ts'

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

export interface World {
  readonly app: FastifyInstance
  readonly apiKey: string
  close(): Promise<void>
}

/** A protocol's network, as an operator would write it. Plain JSON, so that it can be handed to another process. */
export interface Place {
  readonly chainId: string
  readonly network: Readonly<Record<string, unknown>>
}

/** The local chains of some protocols, and where each of these is served, in the same order. */
export async function createChains(subjects: readonly Subject[]): Promise<{ sandbox: Sandbox; places: readonly Place[] }> {
  const sandbox = await startSandbox({ scenarios: subjects.map(({ scenario }) => scenario), controlPort: 0 })
  const places = subjects.map(({ scenario: { chain } }, index) => {
    const endpoints = { rpc: [sandbox.chains[chain]!.rpcUrl], ...sandbox.endpoints[index] }
    return { chainId: chain.slice(chain.indexOf(':') + 1), network: { name: 'bench', endpoints, ...sandbox.settings[index] } }
  })
  return { sandbox, places }
}

/** The service with one protocol in this process, on an in-memory database, with limits out of the way. */
export async function createWorld(
  { name, plugin }: Subject,
  { chainId, network }: Place,
  options: { fetch?: typeof fetch; signer?: Signer } = {},
): Promise<World> {
  const config = parseConfig(
    {
      plugins: { [name]: { networks: { [chainId]: network } } },
      accounts: { bench: { name: 'Bench' } },
      limits: { key_per_minute: 1_000_000_000, address_per_minute: 1_000_000_000 },
      log_level: 'silent',
    },
    {},
  )
  const store = await openStore({ dataDir: ':memory:', log: quiet })
  const peppers: Peppers = ['bench-bench-bench-bench-bench-bench']
  const signer = options.signer ?? createSigner({ privateKeyPem: await generateSigningKey() })
  const app = await createServer({
    config,
    plugins: [{ name, version: '0', plugin }],
    store,
    signer,
    peppers,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  })
  const { value } = await createCredential(store, peppers, new Date(), { kind: 'key', account: 'bench', name: 'bench' })
  const close = async () => {
    await app.close()
    await store.close()
  }
  return { app, apiKey: value, close }
}

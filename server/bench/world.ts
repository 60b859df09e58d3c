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
import evmThree from '@svc/plugin-evm-three'
import { scenario } from '@svc/plugin-evm-three/sandbox'
import { type Sandbox, startSandbox } from '@svc/sandbox'
import type { FastifyInstance } from 'fastify'

export const PREFIX = '/api/v1/evm-three/native'
const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

export interface World {
  readonly app: FastifyInstance
  readonly apiKey: string
  close(): Promise<void>
}

/** The service in this process, on an in-memory database, with limits out of the way. */
export async function createWorld(
  rpcUrl: string,
  settings: Record<string, unknown>,
  options: { fetch?: typeof fetch; signer?: Signer } = {},
): Promise<World> {
  const name = '@svc/plugin-evm-three'
  const config = parseConfig(
    {
      plugins: { [name]: { networks: { '143': { name: 'bench', endpoints: { rpc: [rpcUrl] }, ...settings } } } },
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
    plugins: [{ name, version: '0', plugin: evmThree }],
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

/** The local chain that the bench runs on. */
export async function createChain(): Promise<{ sandbox: Sandbox; rpcUrl: string; settings: Record<string, unknown> }> {
  const sandbox = await startSandbox({ scenarios: [scenario], controlPort: 0 })
  return { sandbox, rpcUrl: sandbox.chains['evm:143']!.rpcUrl, settings: sandbox.settings[0]! }
}

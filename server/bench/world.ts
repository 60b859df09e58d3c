import { createCredential, createServer, freshSigner, openStore, type Peppers, parseConfig, type Signer } from '@svc/core'
import type { FastifyInstance } from 'fastify'
import type { Place, Subject } from './subjects.ts'

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

export interface World {
  readonly app: FastifyInstance
  readonly apiKey: string
  close(): Promise<void>
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
  const signer = options.signer ?? (await freshSigner())
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

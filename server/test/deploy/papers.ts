import type { AddressInfo } from 'node:net'
import {
  createCredential,
  createMetrics,
  createServer,
  freshSigner,
  type Metrics,
  openStore,
  type Peppers,
  parseConfig,
  type Signer,
} from '@svc/core'
import { desk } from '@svc/testing/paper'
import { definePlugin, give, NO_TERMS } from '@svc/testing/paper-protocol'
import type { Test } from 'tap'

const quiet = { debug() {}, info() {}, warn() {}, error: console.error }
const peppers: Peppers = ['p'.repeat(32)]
const plugin = definePlugin({
  name: 'papers',
  prefix: '/papers/native',
  summary: 'Papers.',
  maxFee: '100',
  actions: { give },
  balance: async () => ({ staked: 0n, activating: null, deactivating: null, withdrawing: null, rewards: null, objects: null }),
  info: async () => NO_TERMS,
  inspect: async () => {},
})

export interface Papers {
  readonly port: number
  readonly key: string
  readonly signer: Signer
  readonly metrics: Metrics
}

/** A service that listens, on a family that needs no chain. */
export async function papers(t: Test): Promise<Papers> {
  const network = { name: 'one', endpoints: { desk: ['http://127.0.0.1:9'] }, clerk: 'p002' }
  const config = parseConfig(
    { plugins: { papers: { networks: { 1: network } } }, accounts: { acme: { name: 'Acme' } }, trusted_proxies: ['loopback'] },
    {},
  )
  const store = await openStore({ dataDir: ':memory:', log: quiet })
  const signer = await freshSigner()
  const metrics = createMetrics()
  const app = await createServer({
    config,
    plugins: [{ name: 'papers', version: '1', plugin }],
    store,
    signer,
    peppers,
    metrics,
    version: '1.2.3',
    logger: false,
    fetch: desk(),
  })
  t.teardown(async () => {
    await app.close()
    await store.close()
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { value } = await createCredential(store, peppers, new Date(), { kind: 'key', account: 'acme', name: 'k' })
  return { port: (app.server.address() as AddressInfo).port, key: value, signer, metrics }
}

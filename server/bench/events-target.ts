// The service on PostgreSQL with receivers of its events, in a process of its own; and the receivers, in another one.

import { createServer as createReceiver } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createCredential, createServer, freshSigner, openStore, type Peppers, parseConfig } from '@svc/core'
import { oneSubject } from './subjects.ts'

const [kind, databaseUrl = ''] = process.argv.slice(2)
const quiet = { debug() {}, info() {}, warn() {}, error: console.error }

// What measures has ended, by itself or not: so does this.
process.on('disconnect', () => process.exit())
if (kind === 'receivers') receivers()
else await service()

/** Healthy ones: they answer at once. Told how many messages came when asked. */
function receivers(): void {
  let count = 0
  const server = createReceiver((request, response) => {
    request.resume().once('end', () => {
      count++
      response.end('ok')
    })
  })
  server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
  process.on('message', () => process.send?.({ count }))
}

async function service(): Promise<void> {
  const subject = await oneSubject()
  const network = { name: 'bench', endpoints: { rpc: ['http://127.0.0.1:9'] }, validator_id: 12 }
  const config = parseConfig(
    {
      plugins: { [subject.name]: { networks: { 143: network } } },
      accounts: { bench: { name: 'Bench', max_keys: 100_000 } },
      limits: { key_per_minute: 1_000_000_000, address_per_minute: 1_000_000_000, console_per_minute: 1_000_000_000 },
      webhooks: { allow_private: true, max_per_account: 1_000 },
      log_level: 'silent',
    },
    {},
  )
  const store = await openStore({ databaseUrl, log: quiet })
  const peppers: Peppers = ['bench-bench-bench-bench-bench-bench']
  const app = await createServer({
    config,
    plugins: [{ name: subject.name, version: '0', plugin: subject.plugin }],
    store,
    signer: await freshSigner(),
    peppers,
  })
  const { value: token } = await createCredential(store, peppers, new Date(), { kind: 'token', account: 'bench', name: 'bench' })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  process.send?.({ address, token })
}

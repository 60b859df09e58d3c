// The service with the limits that it has by default, in a process of its own; its chain is never asked.
import type { AddressInfo } from 'node:net'
import { createServer, freshSigner, openStore, parseConfig } from '@svc/core'
import { oneSubject } from './subjects.ts'

const subject = await oneSubject()
const quiet = { debug() {}, info() {}, warn() {}, error: console.error }
const network = { name: 'bench', endpoints: { rpc: ['http://127.0.0.1:9'] }, validator_id: 12 }
const config = parseConfig(
  { plugins: { [subject.name]: { networks: { 143: network } } }, accounts: { bench: { name: 'Bench' } }, log_level: 'silent' },
  {},
)
const app = await createServer({
  config,
  plugins: [{ name: subject.name, version: '0', plugin: subject.plugin }],
  store: await openStore({ dataDir: ':memory:', log: quiet }),
  signer: await freshSigner(),
  peppers: ['bench-bench-bench-bench-bench-bench'],
})
await app.listen({ port: 0, host: '127.0.0.1' })
process.send?.({ port: (app.server.address() as AddressInfo).port })

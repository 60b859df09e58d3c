import { memoryLog } from '@svc/testing/paper'
import { createCredential, createServer, openStore, parseConfig } from '../src/index.ts'
import { paper } from './support/paper-plugin.ts'
import { input, peppers, signer } from './support/serve.ts'

/**
 * Run as a process of its own by `broadcast-record.test.ts`: broadcasts without end, and prints each transaction in the moment in which it
 * leaves; the endpoint answers after a random time.
 */
const [dataDir, databaseUrl] = process.argv.slice(2)
const log = memoryLog()
const store = await openStore({ dataDir, databaseUrl, log })
const fetch: typeof globalThis.fetch = async (url, init) => {
  if (!String(url).endsWith('/post')) return Response.json({})
  process.stdout.write(`${(JSON.parse(String(init?.body)) as { signed_text: string }).signed_text}\n`)
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
  return Response.json({})
}
const plugins = [{ name: paper.protocol.name, version: '1', plugin: paper }]
const config = parseConfig({ ...input, limits: { key_per_minute: 1_000_000 } }, {})
const app = await createServer({ config, plugins, store, signer, peppers, logger: false, fetch })
const { value } = await createCredential(store, peppers, new Date(), { kind: 'key', account: 'acme', name: 'child' })

async function broadcastForever(name: string): Promise<void> {
  for (let count = 0; ; count++) {
    const payload = { signed_text: `${name}-${count}|seal` }
    await app.inject({ method: 'POST', url: '/api/v1/paper/native/action/broadcast', headers: { 'x-api-key': value }, payload })
  }
}

await Promise.all(['a', 'b', 'c', 'd'].map((name) => broadcastForever(`${process.pid}${name}`)))

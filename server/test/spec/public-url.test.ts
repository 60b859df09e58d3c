import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createClient, VerifiedTransaction } from '@svc/client'
import { createCredential, start } from '@svc/core'
import { evmThree } from '@svc/intent-evm-three'
import { temporaryFolder } from '@svc/testing/processes'
import t from 'tap'
import { load } from '../../src/cli/config.ts'
import { trustOf } from '../../src/trust.ts'
import { dataDir, freshWallet } from '../support/service.ts'

const PREFIX = '/staking'

t.test('behind a proxy that takes a prefix off, clients verify by public_url, and only there', async (t) => {
  let target = 0
  const proxy = createServer((incoming, outgoing) => {
    const { method, url = '/', headers } = incoming
    if (!url.startsWith(`${PREFIX}/`)) return outgoing.writeHead(404).end()
    const onward = request(
      { host: '127.0.0.1', port: target, method, path: url.slice(PREFIX.length), headers: { ...headers, host: 'inside' } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    incoming.pipe(onward)
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const { port } = proxy.address() as AddressInfo
  const public_url = `http://127.0.0.1:${port}${PREFIX}`

  // The sandbox's chain and config, and of the protocols one.
  const file = join(dataDir, 'sandbox.config.json')
  const { config, places } = await load(file)
  const plugins = Object.fromEntries(Object.entries(config.plugins).filter(([name]) => name === '@svc/plugin-evm-three'))
  const accounts = { demo: { name: 'Demo' } }
  const { database_url: _database, redis_url: _redis, ...rest } = config
  const upstream = { timeout_ms: 60_000, deadline_ms: 60_000 }
  const own = {
    ...rest,
    plugins,
    accounts,
    public_url,
    upstream,
    listen: { host: '127.0.0.1', port: 0 },
    data_dir: await temporaryFolder(t),
  }
  const loaded = { config: own, file, places }
  const service = await start(loaded, { logger: false })
  t.teardown(async () => {
    proxy.closeAllConnections()
    proxy.close()
    await service.close()
  })
  target = Number(new URL(service.address).port)
  const { value: apiKey } = await createCredential(service.store, service.secrets.peppers, new Date(), {
    kind: 'key',
    account: 'demo',
    name: 'test',
  })

  const trust = await trustOf(file, loaded, 'demo', public_url)
  const { address } = await freshWallet()
  const ask = (baseUrl: string) =>
    createClient({ trust, baseUrl, apiKey, protocols: { monad: evmThree }, retries: 0 }).monad.delegate({ address, amount: '1.5' })
  const tx = await ask(public_url)
  t.ok(tx instanceof VerifiedTransaction)
  t.match(tx.sentence, /^Delegate 1\.5 MON /)
  await t.rejects(ask(`${public_url}/nowhere`), { name: 'ServiceError', status: 404 }, 'a refusal is bound to it too')
  await t.rejects(
    ask(service.address),
    { name: 'SignatureError', message: /does not fit: the answer is to another request/ },
    'around the proxy',
  )
  const document: any = await (await fetch(`${public_url}/openapi.json`)).json()
  t.equal(document.servers[0].url, public_url)
})

import { memoryLog } from '@svc/testing/paper'
import { createCredential, createServer, openStore, parseConfig } from '../../src/index.ts'
import { input, peppers, signer } from '../support/serve.ts'
import { createHeart } from './heart.ts'
import { createScript, inBlock, living, signedText, UNKNOWN } from './living.ts'

/**
 * Run as a process of its own by `killed.test.ts`: broadcasts a number of transactions, and follows them as quickly as it can, for so many looks and twenty more: whoever kills it may
 * be late. Each look finds something new, and before it answers prints `look`. Each turn of the clock prints the time of the process.
 */
const [dataDir = '', databaseUrl = '', count = '', looks = ''] = process.argv.slice(2)
const MORE = 20
const store = await openStore({ dataDir, databaseUrl, log: memoryLog() })
const clock = { now: new Date('2026-11-21T12:00:00Z') }
const script = createScript()
let turns = 0
script.transactions.get = () => async () => {
  turns++
  process.stdout.write('look\n')
  await new Promise((resolve) => setImmediate(resolve))
  const height = 80n + BigInt(Math.trunc(turns / 7))
  return turns % 5 === 0 ? { ...UNKNOWN, lookedAt: 10_000n } : inBlock('included', { height })
}
const { pulse, beat } = createHeart()
const plugin = living(script)
const app = await createServer({
  config: parseConfig({ ...input, limits: { key_per_minute: 1_000_000 } }, {}),
  plugins: [{ name: plugin.protocol.name, version: '1', plugin }],
  store,
  signer,
  peppers,
  logger: false,
  now: () => clock.now,
  fetch: async () => Response.json({}),
  pulse,
})
const { value } = await createCredential(store, peppers, clock.now, { kind: 'key', account: 'acme', name: 'child' })
for (let index = 0; index < Number(count); index++)
  await app.inject({
    method: 'POST',
    url: '/api/v1/paper/native/action/broadcast',
    headers: { 'x-api-key': value },
    payload: signedText(`n${index}`),
  })
while (turns < Number(looks) + MORE) {
  clock.now = new Date(clock.now.getTime() + 5_000)
  process.stdout.write(`${clock.now.getTime()}\n`)
  await beat()
}
// Until it is killed.
setInterval(() => undefined, 60_000)

import { eventually } from '@svc/testing/eventually'
import { desk } from '@svc/testing/paper'
import { definePlugin, NO_TERMS } from '@svc/testing/paper-protocol'
import t, { type Test } from 'tap'
import { createCredential, type Store } from '../src/index.ts'
import { declaration } from './support/paper-plugin.ts'
import { peppers, serve, testStore } from './support/serve.ts'

const HOUR = 3_600_000
const TVL = 123_456_789_012_345_678_901n
const coins = { '1': 'paper', '2': 'card.board' }
const plugin = definePlugin({ ...declaration, coins, info: async () => ({ ...NO_TERMS, tvl: TVL }) })
const config = { prices: { endpoints: ['http://first.invalid/api/v3', { url: 'http://second.invalid', headers: { 'x-key': 'k' } }] } }

type Reply = string | number | Error

/** Services that say what a test wants them to, by host; besides them the chain. */
function sources(replies: Record<string, Reply>) {
  const asked: string[] = []
  const chain = desk()
  const send = (async (url: string | URL | Request, init?: RequestInit) => {
    const { host, pathname, search } = new URL(url instanceof Request ? url.url : url)
    if (host === 'desk.invalid') return chain(url, init)
    asked.push(`${host}${pathname}${search}`)
    const reply = replies[host.split('.')[0]!] ?? 404
    if (reply instanceof Error) throw reply
    return typeof reply === 'number' ? new Response('{}', { status: reply }) : new Response(reply)
  }) as typeof fetch
  return { send, asked, replies }
}

/** A key of each store: making and checking one costs more than all the rest here. */
const keys = new WeakMap<Store, Promise<{ readonly value: string }>>()

async function usd(served: Awaited<ReturnType<typeof serve>>, network = '1', store = served.store): Promise<string> {
  const key =
    keys.get(store) ??
    createCredential(store, peppers, new Date(0), { kind: 'key', account: 'acme', name: 'test', expirationDate: undefined })
  keys.set(store, key)
  const { value } = await key
  const reply = await served.call('GET', 'staking-info', undefined, { 'x-api-key': value, 'x-network': network })
  return `${/"tvl_usd":([^,]+)/.exec(reply.body)?.[1]} ${reply.headers['x-snapshot-age']}`
}

/** Whole cents as dollars. */
function centsText(cents: bigint): string {
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`.replace(/\.?0+$/, '')
}

const open = (t: Test, replies: Record<string, Reply>, store?: Store) => {
  const { send, asked } = sources(replies)
  return serve(t, { plugins: [plugin], config, fetch: send, ...(store ? { store: () => store } : {}) }).then((served) => ({
    served,
    asked,
  }))
}

t.test('all prices are asked for in one request, held for an hour, and multiplied exactly', async (t) => {
  const replies = { first: '{"paper":{"usd":0.07},"card.board":{"usd":1.5e1}}' }
  const { served, asked } = await open(t, replies)
  t.equal(await usd(served), '8.64 0')
  t.equal(await usd(served, '2'), '1851.85 0')
  t.same(asked, ['first.invalid/api/v3/simple/price?ids=card.board,paper&vs_currencies=usd&include_last_updated_at=true&precision=full'])
  replies.first = '{"paper":{"usd":1},"card.board":{"usd":1}}'
  served.clock.now = new Date(served.clock.now.getTime() + HOUR - 1)
  await usd(served)
  t.equal(asked.length, 1)
  served.clock.now = new Date(served.clock.now.getTime() + 1)
  t.match(await usd(served), /^8\.64 /, 'the old one while the new one is on its way')
  await new Promise((resolve) => setImmediate(resolve))
  t.match(await usd(served), /^123\.46 /)
  t.equal(asked.length, 2)
})

t.test('what cannot be a price is none, whatever an endpoint says, and the next one is asked for it', async (t) => {
  const now = Date.parse('2026-11-21T12:00:00Z') / 1000
  const lies = [
    ...['-1', '0', '1e99', '10000001', '1e-12', '"0.07"', 'null', 'true', '[0.07]', '{"usd":0.07}'].map(
      (usd) => `{"paper":{"usd":${usd}}}`,
    ),
    ...[
      '{}',
      '[]',
      'null',
      '"paper"',
      '{"paper":0.07}',
      '{"paper":[0.07]}',
      '{"paper":{"eur":0.07}}',
      '{"paper":null}',
      '<html>',
      '',
      '{"error":"x"}',
    ],
    // By the clock of the first of them; the others are later, and an hour ahead is too far for all.
    ...[0, now - 86_401, '1e12', -1, 1.5, '"now"', 'true', '1e300'].map((at) => `{"paper":{"usd":0.07,"last_updated_at":${at}}}`),
  ]
  const only = definePlugin({ ...declaration, coins: { '1': 'paper' }, info: async () => ({ ...NO_TERMS, tvl: TVL }) })
  const { send, replies } = sources({ second: '{"paper":{"usd":1}}' })
  const served = await serve(t, { plugins: [only], config, fetch: send })
  const began = served.clock.now.getTime()
  for (const [index, lie] of [...lies, 500, 404, 429, new TypeError('fetch failed')].entries()) {
    // Two hours later each time; what the next endpoint says is told apart by its price.
    served.clock.now = new Date(began + (index + 1) * 2 * HOUR)
    const seconds = served.clock.now.getTime() / 1000
    replies.first = lie
    replies.second = `{"paper":{"usd":${index + 1},"last_updated_at":${seconds - 60}}}`
    const expected = `${centsText((2n * TVL * BigInt(index + 1) + 10n ** 16n) / (2n * 10n ** 16n))} 60`
    await eventually(`past ${lie}: ${expected}`, async () => (await usd(served)) === expected)
  }
  for (const lie of lies.slice(0, 3)) {
    const { send } = sources({ first: lie, second: lie })
    const served = await serve(t, { plugins: [only], config, fetch: send })
    t.match(await usd(served), /^null /, `${lie} everywhere`)
    t.match(await usd(served), /^null /)
    const said = served.log.filter(({ msg }) => /no price of this token/.test(msg))
    t.same(
      said.map(({ price_id, last }) => [price_id, last]),
      [['paper', 'never']],
      'said once',
    )
    await served.app.close()
  }
})

t.test('what one endpoint leaves out is asked of the next, and the rest is not lost', async (t) => {
  const { served, asked } = await open(t, { first: '{"paper":{"usd":0.07},"card.board":{"usd":-1}}', second: '{"card.board":{"usd":2}}' })
  t.equal(await usd(served), '8.64 0')
  t.equal(await usd(served, '2'), '246.91 0')
  t.match(asked[1], /^second\.invalid\/simple\/price\?ids=card\.board&/)
  const { served: half } = await open(t, { first: '{"paper":{"usd":0.07}}', second: 500 })
  t.equal(await usd(half), '8.64 0')
  t.equal(await usd(half, '2'), 'null 0')
  t.match(
    half.log.find(({ missing }) => missing),
    { missing: ['card.board'] },
  )
})

t.test('a price outlasts its source, and a restart, for a day with its age; then it is null and the log says so', async (t) => {
  const store = await testStore(t)
  const both = '{"paper":{"usd":0.07},"card.board":{"usd":2}}'
  const first = await open(t, { first: both }, store)
  t.equal(await usd(first.served, '1', store), '8.64 0')
  await first.served.app.close()

  const { served } = await open(t, { first: 500, second: new TypeError('fetch failed') }, store)
  served.clock.now = new Date(served.clock.now.getTime() + 24 * HOUR)
  t.equal(await usd(served, '1', store), '8.64 86400')
  served.clock.now = new Date(served.clock.now.getTime() + 1_000)
  t.match(await usd(served, '1', store), /^null /)
  t.match(
    served.log.find(({ msg }) => /no price of this token/.test(msg)),
    { price_id: 'paper', last: '2026-11-21T12:00:00.000Z' },
  )
})

t.test('without a price source, and where a network turns it off, nothing is asked and the value is null', async (t) => {
  const { send, asked } = sources({ first: '{"paper":{"usd":1}}' })
  const none = await serve(t, { plugins: [plugin], fetch: send })
  t.match(await usd(none), /^null /)
  const network = { name: 'one', endpoints: { desk: ['http://desk.invalid'] }, clerk: 'p002' }
  const plugins = { '@svc/plugin-paper': { networks: { 1: { ...network, price_id: null }, 2: { ...network, price_id: 'other' } } } }
  const off = await serve(t, { plugins: [plugin], fetch: send, config: { ...config, plugins, accounts: { acme: { name: 'Acme' } } } })
  t.match(await usd(off), /^null /)
  t.ok(
    asked.every((each) => /\?ids=other&/.test(each)),
    'the id of the settings wins',
  )
})

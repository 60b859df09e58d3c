import { declareErrors } from '@svc/contract'
import { desk } from '@svc/testing/paper'
import { definePlugin, NO_TERMS } from '@svc/testing/paper-protocol'
import t from 'tap'
import { createCredential, type Store } from '../src/index.ts'
import { declaration, paper } from './support/paper-plugin.ts'
import { peppers, serve, testStore } from './support/serve.ts'

const { badGateway } = declareErrors({ UPSTREAM_UNAVAILABLE: [502, 'No endpoint answers.'] })

const body = { address: 'p001', amount: 1 }

const keyIn = (store: Store) =>
  createCredential(store, peppers, new Date('2026-11-21T12:00:00Z'), {
    kind: 'key',
    account: 'acme',
    name: 'test',
    expirationDate: undefined,
  })

t.test('a protocol of an unknown family is served whole', async (t) => {
  const { call } = await serve(t)
  t.same((await call('GET', 'networks')).json(), [
    { name: 'paper one', type: 'PAPER', chain_id: '1', is_default: true },
    { name: 'paper two', type: 'PAPER', chain_id: '2', is_default: false },
  ])
  const crafted = await call('POST', 'action/give', body)
  t.same([crafted.statusCode, crafted.json()], [200, { unsigned_text: 'paper|1|0|5|p001|p002|give|1000000000000000000' }])
  const prepared = await call('POST', 'action/prepare', { ...crafted.json<object>(), seal: 's', more: 'is ignored' })
  t.same(prepared.json(), { signed_text: 'paper|1|0|5|p001|p002|give|1000000000000000000|s' })
  t.same((await call('POST', 'action/broadcast', prepared.json())).json(), { tx_hash: `h-${prepared.json().signed_text}` })
  t.match((await call('GET', 'staking-info')).json(), { staking_apr: 0, users: 2, tvl_usd: null })
  t.same((await call('GET', 'clerk')).json(), { clerk: 'p002' })
})

t.test('a start whose sources are away answers what was read before it, as old as that is, or a 503 and never nulls', async (t) => {
  const store = await testStore(t)
  let away = false
  const info = async () => {
    if (away) throw badGateway('UPSTREAM_UNAVAILABLE', 'The upstream paper is unavailable.')
    return { ...NO_TERMS, aprPercent: 4.25, tvl: 123_456_789_012_345_678_901n }
  }
  const plugins = [definePlugin({ ...declaration, info })]
  const first = await serve(t, { plugins, store: () => store })
  const fresh = await first.call('GET', 'staking-info', undefined, { 'x-api-key': (await keyIn(store)).value })
  t.equal(fresh.statusCode, 200)
  t.equal(fresh.headers['x-snapshot-age'], '0')
  t.match(fresh.body, /"tvl_token":123.456789012345678901/)
  await first.app.close()

  away = true
  const later = await serve(t, { plugins, store: () => store })
  later.clock.now = new Date(later.clock.now.getTime() + 90_061_000)
  const kept = await later.call('GET', 'staking-info', undefined, { 'x-api-key': (await keyIn(store)).value })
  t.same([kept.statusCode, kept.body], [200, fresh.body])
  t.equal(kept.headers['x-snapshot-age'], '90061')

  const network = { name: 'paper one', endpoints: { desk: ['http://desk.invalid'] }, clerk: 'p004' }
  const other = await serve(t, {
    plugins,
    store: () => store,
    config: { plugins: { '@svc/plugin-paper': { networks: { 1: network } } }, accounts: { acme: { name: 'Acme' } } },
  })
  const reply = await other.call('GET', 'staking-info', undefined, { 'x-api-key': (await keyIn(store)).value })
  t.match(reply.json(), { statusCode: 503, code: 'STAKING_INFO_INCOMPLETE' }, 'what was read for other settings is not served')
  t.equal(reply.headers['retry-after'], '60')
})

t.test('a stranger is refused before his body is read', async (t) => {
  const { call, app } = await serve(t)
  for (const payload of ['{ not json', JSON.stringify({ address: 1 }), 'x'.repeat(400_000)])
    t.match((await call('POST', 'action/give', payload, {})).json(), { statusCode: 401, code: 'KEY_MISSING' })
  const typed = await app.inject({
    method: 'POST',
    url: '/api/v1/paper/native/action/give',
    headers: { 'content-type': 'text/xml' },
    payload: 'x',
  })
  t.match(typed.json(), { statusCode: 401, code: 'KEY_MISSING' })
})

t.test('a 401 counts to the limit of the address, and a valid key has its own', async (t) => {
  const { call, key } = await serve(t, { config: { limits: { address_per_minute: 3, key_per_minute: 2 } } })
  const stranger = () => call('GET', 'networks', undefined, { 'x-api-key': 'made up' })
  for (let time = 0; time < 3; time++) t.equal((await stranger()).statusCode, 401)
  const refused = await stranger()
  t.match(refused.json(), { statusCode: 429, message: 'Too Many Requests', code: 'RATE_LIMITED' })
  t.match(refused.headers, { 'retry-after': /^\d+$/, 'x-ratelimit-limit': '3', 'x-ratelimit-remaining': '0' })
  const headers = { 'x-api-key': (await key()).value }
  const seen = [
    await call('GET', 'networks', undefined, headers),
    await call('GET', 'nowhere', undefined, headers),
    await call('GET', 'networks', undefined, headers),
  ]
  t.same(
    seen.map(({ statusCode }) => statusCode),
    [200, 404, 429],
    'an unknown path counts too',
  )
})

t.test('the limit comes before the body too', async (t) => {
  const { call } = await serve(t, { config: { limits: { key_per_minute: 1 } } })
  await call('GET', 'networks')
  t.match((await call('POST', 'action/give', '{ not json')).json(), { statusCode: 429 })
})

t.test('health alone is not counted; the console and its document have a budget of their own', async (t) => {
  const { call } = await serve(t, { config: { limits: { address_per_minute: 2, console_per_minute: 8 } } })
  const statuses = async (...urls: string[]) => {
    const seen: number[] = []
    for (const url of urls) seen.push((await call('GET', url, undefined, {})).statusCode)
    return seen
  }
  const files = ['/docs', '/docs/', '/openapi.json', '/docs/static/swagger-ui.css', '/docs/static/console.js', '/docs/static/none.css']
  t.same(await statuses(...files), [200, 200, 200, 200, 200, 404])
  t.same(await statuses('/api/v1/public-key', '/nowhere', '/api/v1/public-key', '/nowhere'), [200, 404, 429, 429])
  t.same(await statuses(...files.slice(0, 4)), [200, 200, 429, 429])
  t.same(await statuses(...Array(5).fill('/api/v1/health')), [200, 200, 200, 200, 200])
})

t.test('nothing is kept by a cache but the console, which is asked for again', async (t) => {
  const { call, token } = await serve(t)
  const cached = async (...asked: Parameters<typeof call>) => (await call(...asked)).headers['cache-control']
  const made = [
    cached('POST', '/api/v1/apikeys', { name: 'x' }, { token: (await token()).value }),
    cached('POST', 'action/give', body),
    cached('POST', 'action/give', {}),
    cached('GET', 'networks'),
    cached('GET', '/api/v1/health', undefined, {}),
    cached('GET', '/nowhere', undefined, {}),
    cached('GET', '/%zz', undefined, {}),
  ]
  for (const header of await Promise.all(made)) t.equal(header, 'no-store, no-transform')
  for (const url of ['/docs', '/docs/static/console.js', '/openapi.json']) {
    const { headers } = await call('GET', url, undefined, {})
    t.equal(headers['cache-control'], 'no-cache, no-transform')
    const again = await call('GET', url, undefined, { 'if-none-match': `W/"other", ${headers.etag}` })
    t.same([again.statusCode, again.body], [304, ''])
    t.equal((await call('GET', url, undefined, { 'if-none-match': '"other"' })).statusCode, 200)
  }
})

t.test('the client address comes from X-Forwarded-For behind a trusted proxy only', async (t) => {
  const limits = { address_per_minute: 2 }
  const asked = async (config: object, remoteAddress: string, forwarded: string) => {
    const { app } = await serve(t, { config })
    const statuses: number[] = []
    for (let time = 0; time < 4; time++)
      statuses.push(
        (
          await app.inject({
            url: '/api/v1/paper/native/networks',
            remoteAddress,
            headers: { 'x-forwarded-for': forwarded.replace('?', String(time)) },
          })
        ).statusCode,
      )
    return statuses
  }
  t.same(await asked({ limits }, '192.0.2.1', '203.0.113.?'), [401, 401, 429, 429], 'nobody is trusted by default')
  t.same(await asked({ limits, trusted_proxies: ['192.0.2.0/24'] }, '192.0.2.1', '203.0.113.?'), [401, 401, 401, 401])
  t.same(await asked({ limits, trusted_proxies: ['192.0.2.0/24'] }, '192.0.2.1', '203.0.113.9'), [401, 401, 429, 429])
  t.same(
    await asked({ limits, trusted_proxies: ['192.0.2.0/24'] }, '198.51.100.1', '203.0.113.?'),
    [401, 401, 429, 429],
    'a stranger who claims',
  )
  t.same(
    await asked({ limits, trusted_proxies: ['192.0.2.1'] }, '192.0.2.1', '203.0.113.?, 198.51.100.7'),
    [401, 401, 429, 429],
    'what the client wrote before the proxy',
  )
})

t.test('an unknown path is 404, whoever asks', async (t) => {
  const { call } = await serve(t)
  for (const url of ['/', '/api', '/api/v1', '/api/v2/health', '/api/v1/paper/native/nowhere', '/favicon.ico'])
    t.same((await call('GET', url, undefined, {})).json(), {
      statusCode: 404,
      message: 'Not Found',
      error: `There is no GET ${url} here, or not for this account; /openapi.json lists what the service has.`,
      code: 'NOT_FOUND',
    })
  t.match((await call('GET', '/api/v1/paper/native', undefined, {})).json(), {
    statusCode: 404,
    error: /; below it are .*networks.*; \/openapi/,
  })
  t.match((await call('GET', 'action/steal', undefined, {})).json(), { statusCode: 404, error: /its actions are .*, prepare, broadcast; / })
  t.match((await call('PUT', 'networks')).json(), { statusCode: 404, error: /There is no PUT/ })
  t.match((await call('GET', 'action/give')).json(), { statusCode: 404 })
  t.match((await call('GET', 'nowhere?key=secret')).json(), { error: /nowhere here/ })
  t.match((await call('POST', 'nowhere', '{ not json')).json(), { statusCode: 404 })
  t.match((await call('POST', 'nowhere', 'x'.repeat(400_000))).json(), { statusCode: 404 })
  t.match((await call('POST', 'nowhere', '<x/>', { 'content-type': 'text/xml' })).json(), { statusCode: 404 })
})

t.test('a slash at the end of a path, and HEAD, are taken as they are meant', async (t) => {
  const { call } = await serve(t)
  t.equal((await call('GET', 'networks/')).statusCode, 200)
  const head = await call('HEAD', 'networks')
  t.same([head.statusCode, head.body], [200, ''])
})

t.test('nothing is asked of the chain for what the snapshot and the config know', async (t) => {
  const fetch = desk()
  const { call } = await serve(t, { fetch, plugins: [paper] })
  await call('GET', 'networks')
  await call('GET', 'staking-info')
  t.same(fetch.asked, [])
})

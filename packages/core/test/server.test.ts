import t from 'tap'
import { desk } from '../../contract/test/support/paper.ts'
import { paper } from './support/paper-plugin.ts'
import { serve } from './support/serve.ts'

const body = { address: 'p001', amount: 1 }

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
  t.same((await call('POST', 'action/broadcast', prepared.json())).json(), { tx_hash: 'h-1' })
  t.match((await call('GET', 'staking-info')).json(), { staking_apr: 0, users: 2, tvl_usd: null })
  t.same((await call('GET', 'clerk')).json(), { clerk: 'p002' })
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

t.test('health and the document are not counted', async (t) => {
  const { call } = await serve(t, { config: { limits: { address_per_minute: 1 } } })
  for (let time = 0; time < 5; time++) {
    t.equal((await call('GET', '/api/v1/health', undefined, {})).statusCode, 200)
    t.equal((await call('GET', '/openapi.json', undefined, {})).statusCode, 200)
    t.equal((await call('GET', '/docs/static/swagger-ui.css', undefined, {})).statusCode, 200)
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
  for (const url of [
    '/',
    '/api',
    '/api/v1',
    '/api/v2/health',
    '/api/v1/paper/native',
    '/api/v1/paper/native/nowhere',
    '/api/v1/paper/native/action/steal',
    '/favicon.ico',
  ])
    t.same((await call('GET', url, undefined, {})).json(), {
      statusCode: 404,
      message: 'Not Found',
      error: `There is no GET ${url} here; /openapi.json lists what there is.`,
      code: 'NOT_FOUND',
    })
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

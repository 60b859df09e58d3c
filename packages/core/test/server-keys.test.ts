import t from 'tap'
import { mintValue } from '../src/credentials/value.ts'
import { createAccounts } from '../src/index.ts'
import { peppers, serveStored } from './support/serve.ts'

const refusedKey = { statusCode: 401, message: 'Unauthorized', code: 'KEY_INVALID', error: /wrong, deactivated, revoked or expired/ }

t.test('without a key, or with an empty one, the answer is 401 and says where it belongs', async (t) => {
  const { call, token } = await serveStored(t)
  const missing = { statusCode: 401, message: 'Unauthorized', code: 'KEY_MISSING', error: 'This needs an API key in the header X-API-KEY.' }
  t.same((await call('GET', 'networks', undefined, {})).json(), missing)
  t.match((await call('GET', 'networks', undefined, { 'x-api-key': '' })).json(), { statusCode: 401, code: 'KEY_INVALID' })
  t.same((await call('GET', 'networks', undefined, { token: (await token()).value })).json(), missing)
})

t.test('a key that is wrong in any way is 401 without a hint which', async (t) => {
  const { call, key, token } = await serveStored(t)
  const { value } = await key()
  const swapped = value.slice(0, -9) + (value.at(-9) === 'A' ? 'B' : 'A') + value.slice(-8)
  const never = mintValue('key', peppers, new Date()).value
  const foreign = mintValue('key', ['another pepper, of another server, and long'], new Date()).value
  const wrong = [
    'x',
    value.slice(0, -1),
    `${value}0`,
    value.toLowerCase(),
    swapped,
    never,
    foreign,
    (await token()).value,
    'x'.repeat(5000),
    `Bearer ${value}`,
  ]
  for (const each of wrong) t.match((await call('GET', 'networks', undefined, { 'x-api-key': each })).json(), refusedKey, each.slice(0, 40))
  t.equal((await call('GET', 'networks', undefined, { 'x-api-key': value })).statusCode, 200)
})

t.test('a key is refused from the moment of its expiration', async (t) => {
  const { call, key, clock } = await serveStored(t)
  const headers = { 'x-api-key': (await key('acme', '2026-11-21T13:00:00Z')).value }
  t.equal((await call('GET', 'networks', undefined, headers)).statusCode, 200)
  clock.now = new Date('2026-11-21T12:59:59.999Z')
  t.equal((await call('GET', 'networks', undefined, headers)).statusCode, 200)
  clock.now = new Date('2026-11-21T13:00:00Z')
  t.match((await call('GET', 'networks', undefined, headers)).json(), refusedKey)
})

t.test('a key that is deactivated or deleted through the API is refused at once, and works again once activated', async (t) => {
  const { call, key, token } = await serveStored(t)
  const { value, ulid } = await key()
  const manage = { token: (await token()).value }
  const status = async () => (await call('GET', 'networks', undefined, { 'x-api-key': value })).statusCode
  t.equal(await status(), 200)
  await call('PATCH', `/api/v1/apikeys/${ulid}`, { active: false }, manage)
  t.equal(await status(), 401)
  await call('PATCH', `/api/v1/apikeys/${ulid}`, { active: true }, manage)
  t.equal(await status(), 200)
  await call('DELETE', `/api/v1/apikeys/${ulid}`, undefined, manage)
  t.equal(await status(), 401)
})

t.test('a key of an account that the config no longer names is 401', async (t) => {
  const { call, key, token } = await serveStored(t)
  const gone = { statusCode: 401, code: 'KEY_INVALID', error: /no longer configured/ }
  t.match((await call('GET', 'networks', undefined, { 'x-api-key': (await key('gone')).value })).json(), gone)
  const reply = await call('GET', '/api/v1/apikeys', undefined, { token: (await token('gone')).value })
  t.match(reply.json(), { statusCode: 401, error: /no longer configured/ })
})

t.test('while the database is away a key that was never seen is 503, not 401', async (t) => {
  const { call, key } = await serveStored(t, {
    store: (real) => ({
      ...real,
      findCredential: async () => {
        throw new Error('connection lost to postgres://secret')
      },
    }),
  })
  const reply = await call('GET', 'networks', undefined, { 'x-api-key': (await key()).value })
  t.match(reply.json(), { statusCode: 503, code: 'DATABASE_UNAVAILABLE' })
  t.equal(reply.headers['retry-after'], '5')
  t.notMatch(reply.body, /secret/)
})

t.test('to an account without a plugin it is as if it were not installed', async (t) => {
  const { call, key } = await serveStored(t)
  const beta = { 'x-api-key': (await key('beta')).value }
  for (const [method, url] of [
    ['GET', '/api/v1/paper/native/networks'],
    ['GET', '/api/v1/paper/native/staking-info'],
    ['POST', '/api/v1/paper/native/action/give'],
    ['POST', '/api/v1/paper/native/action/broadcast'],
    ['GET', '/api/v1/paper/native/clerk'],
  ] as const) {
    const hidden = await call(method, url, method === 'POST' ? '{ not json' : undefined, beta)
    const unknown = await call(method, url.replace('paper', 'plastic'), method === 'POST' ? '{ not json' : undefined, beta)
    t.equal(hidden.statusCode, 404)
    t.equal(hidden.body, unknown.body.replace('plastic', 'paper'), `${method} ${url}`)
    t.same(Object.keys(hidden.headers).toSorted(), Object.keys(unknown.headers).toSorted())
  }
})

t.test('an account sees only the networks that are enabled for it, with its own settings', async (t) => {
  const { call, key } = await serveStored(t)
  const gamma = { 'x-api-key': (await key('gamma')).value }
  t.same((await call('GET', 'networks', undefined, gamma)).json(), [{ name: 'paper two', type: 'PAPER', chain_id: '2', is_default: true }])
  t.same((await call('GET', 'clerk', undefined, gamma)).json(), { clerk: 'p009' })
  t.match((await call('GET', 'staking-info', undefined, gamma)).json(), { users: 9 }, 'its own snapshot')
  t.match((await call('POST', 'action/give', { address: 'p001', amount: 1 }, gamma)).json(), {
    unsigned_text: /^paper\|2\|0\|5\|p001\|p009\|give/,
  })
})

t.test('X-NETWORK chooses, and a network that is not enabled is 400 and names those that are', async (t) => {
  const { call, key } = await serveStored(t)
  const { value } = await key()
  const on = (network: string) => ({ 'x-api-key': value, 'x-network': network })
  t.same((await call('GET', 'clerk', undefined, { 'x-api-key': value })).json(), { clerk: 'p002' })
  t.same((await call('GET', 'clerk', undefined, on('2'))).json(), { clerk: 'p003' })
  t.match(
    (await call('GET', 'clerk', undefined, on(''))).json(),
    { statusCode: 400, error: /^X-NETWORK is there and empty/ },
    'an empty one is not none',
  )
  for (const network of ['3', 'paper two', '02', '2 ', 'x'.repeat(3000)].filter((each) => each.trim() === each))
    t.match((await call('GET', 'clerk', undefined, on(network))).json(), {
      statusCode: 400,
      code: 'NETWORK_NOT_ENABLED',
      error: /^X-NETWORK ".{1,80}" is not enabled for this account; enabled: 1, 2\.$/,
    })
  const gamma = { 'x-api-key': (await key('gamma')).value, 'x-network': '1' }
  for (const [method, url, body] of [
    ['GET', 'clerk'],
    ['GET', 'staking-info'],
    ['GET', 'staking-balance/p001'],
    ['POST', 'action/give', { address: 'p001', amount: 1 }],
    ['POST', 'action/prepare', { unsigned_text: 'a', seal: 'b' }],
    ['POST', 'action/broadcast', { signed_text: 'a' }],
  ] as const)
    t.match((await call(method, url, body, gamma)).json(), { statusCode: 400, code: 'NETWORK_NOT_ENABLED', error: /enabled: 2\.$/ }, url)
})

t.test('X-NETWORK takes the CAIP-2 name of a network wherever it takes its chain id, and the record says the chain id', async (t) => {
  const { call, key, records } = await serveStored(t)
  const own = { 'x-api-key': (await key()).value, 'x-network': 'paper:2' }
  t.same((await call('GET', 'clerk', undefined, own)).json(), { clerk: 'p003' })
  const body = { address: 'p001', amount: 1 }
  t.match((await call('POST', 'action/give', body, own)).json(), { unsigned_text: /^paper\|2\|/ })
  for (const [method, url] of [
    ['GET', 'networks'],
    ['GET', 'staking-info'],
    ['GET', 'staking-balance/p001'],
    ['GET', 'rewards/p001'],
    ['PUT', '/api/v1/watch/paper/p001'],
  ] as const)
    t.equal((await call(method, url, undefined, own)).statusCode, 200, url)
  t.match((await call('GET', 'clerk', undefined, { ...own, 'x-network': 'paper:3' })).json(), { code: 'NETWORK_NOT_ENABLED' })
  t.same(
    (await records(8)).map(({ network }) => network),
    [...Array.from({ length: 7 }, () => '2'), 'paper:3'],
  )
})

t.test('X-IDENTITY does not change the response', async (t) => {
  const { call, key } = await serveStored(t)
  const { value } = await key()
  const plain = await call('GET', 'networks', undefined, { 'x-api-key': value })
  for (const identity of ['user-7', 'x'.repeat(4000)]) {
    const marked = await call('GET', 'networks', undefined, { 'x-api-key': value, 'x-identity': identity })
    t.same([marked.statusCode, marked.body], [plain.statusCode, plain.body])
  }
})

t.test("the default network is the account's, then the operator's, then the first", async (t) => {
  const network = (name: string) => ({ name, endpoints: {} })
  const networks = { 1: network('one'), 2: network('two'), 3: network('three') }
  const accounts = createAccounts({
    plugins: { p: { networks, default_network: '2' }, q: { networks } },
    accounts: {
      plain: { name: 'Plain' },
      own: { name: 'Own', plugins: { p: { default_network: '3' } } },
      without: { name: 'Without', plugins: { p: { networks: { 1: {}, 3: {} } } } },
    },
  })
  const fallback = (account: string, plugin = 'p') => accounts.network(account, plugin, undefined).chainId
  t.same([fallback('plain'), fallback('plain', 'q'), fallback('own'), fallback('without')], ['2', '1', '3', '1'])
})

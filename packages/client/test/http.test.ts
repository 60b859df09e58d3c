import { createClient, type RequestAttempt } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import t from 'tap'
import { API_KEY, clientOf, craftAt, refused, said, trusted, wanted } from './support/service.ts'

const soon = { 'retry-after': '0' }

t.test('what may succeed the next time is asked again, twice by default, and nothing else', async (t) => {
  for (const [status, times] of [
    [408, 3],
    [429, 3],
    [500, 3],
    [502, 3],
    [503, 3],
    [504, 3],
    [400, 1],
    [401, 1],
    [403, 1],
    [404, 1],
    [409, 1],
    [413, 1],
    [501, 1],
    [505, 1],
  ] as const) {
    const { monad, asked } = clientOf(() => refused(status, 'X', soon))
    await t.rejects(monad.info(), { status, code: 'X', retryAfter: 0, requestId: null })
    t.equal(asked.length, times, String(status))
  }
  const once = clientOf(() => refused(503, 'X', soon), { retries: 0 })
  await t.rejects(once.monad.info())
  t.equal(once.asked.length, 1)
  const healed = clientOf((_, count) => (count < 3 ? refused(503, 'X', soon) : said({ symbol: 'MON' })))
  t.same(await healed.monad.info(), { symbol: 'MON' })
})

t.test('an error has the class of its status', async (t) => {
  for (const [status, name] of [
    [400, 'ServiceError'],
    [401, 'AuthenticationError'],
    [403, 'ServiceError'],
    [429, 'RateLimitError'],
    [500, 'ServiceError'],
    [501, 'ServiceError'],
    [502, 'UnavailableError'],
    [504, 'UnavailableError'],
    [505, 'ServiceError'],
  ] as const) {
    const { monad } = clientOf(() => ({ ...refused(status, 'X'), headers: { 'x-request-id': 'r1' } }), { retries: 0 })
    await t.rejects(monad.info(), { name, requestId: 'r1', message: `It says so. (${status} X, request r1)`, sentence: 'It says so.' })
  }
  const bare = clientOf(() => ({ status: 418, body: null }))
  await t.rejects(bare.monad.info(), { code: 'INTERNAL_ERROR', sentence: 'The service answered 418.' })
})

t.test('a request says who asks, on which network, and is like none before it', async (t) => {
  const { monad, asked } = clientOf(({ path }) => said(path === '/action/delegate' ? craftAt(0) : {}))
  await monad.delegate(wanted, { identity: 'the treasurer' })
  await monad.info()
  await monad.info()
  const [craft, first, second] = asked
  t.equal(craft?.body, `{"address":"${wanted.address}","amount":100}`)
  t.match(Object.fromEntries(craft?.headers ?? []), {
    ...{ 'x-api-key': API_KEY, 'x-network': '143', 'x-identity': 'the treasurer', 'content-type': 'application/json' },
    ...{ 'content-digest': /^sha-256=:/, 'accept-encoding': 'identity' },
  })
  t.equal(first?.headers.has('x-identity'), false)
  t.equal(first?.headers.has('content-type'), false)
  t.match(first?.headers.get('x-nonce'), /^[\w-]{24}$/)
  t.not(first?.headers.get('x-nonce'), second?.headers.get('x-nonce'))
})

t.test('whoever watches sees each attempt, and no credential', async (t) => {
  const seen: RequestAttempt[] = []
  const answered: unknown[] = []
  const { monad } = clientOf(
    (_, count) => (count === 1 ? refused(503, 'X', soon) : { status: 200, body: {}, headers: { 'x-request-id': 'r1' } }),
    {
      onRequest: (request) => seen.push(request),
      onResponse: ({ status, attempt, requestId, milliseconds }) =>
        answered.push([status, attempt, requestId, milliseconds >= 0 && milliseconds < 60_000]),
    },
  )
  await monad.info()
  const url = 'https://staking.example/api/v1/evm-three/native/staking-info'
  t.same(
    seen,
    [0, 1].map((attempt) => ({ method: 'GET', url, attempt })),
  )
  t.same(answered, [
    [503, 0, null, true],
    [200, 1, 'r1', true],
  ])
})

t.test('an answer that does not come is given up, by the limit of the client or by its caller', async (t) => {
  const silent: typeof fetch = (_url, init) =>
    new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
  const options = { trust: trusted, apiKey: API_KEY, protocols: { monad: evmThree }, fetch: silent }
  // What the time limit rests on keeps no process alive.
  const alive = setInterval(() => undefined, 1_000)
  t.teardown(() => clearInterval(alive))
  await t.rejects(createClient({ ...options, timeoutMs: 20, retries: 0 }).monad.info(), {
    name: 'ConnectionError',
    message: 'The service at https://staking.example did not answer within 0.02 s.',
  })
  let asked = 0
  const counted: typeof fetch = (url, init) => {
    asked++
    return silent(url, init)
  }
  const given = new AbortController()
  const waits = createClient({ ...options, fetch: counted }).monad.info({ signal: given.signal })
  setImmediate(() => given.abort(new Error('given up')))
  await t.rejects(waits, { message: 'given up' })
  t.equal(asked, 1, 'and is not asked again')
  const away: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))
  await t.rejects(createClient({ ...options, fetch: away, retries: 0 }).monad.info(), {
    message: /staking\.example could not be reached\.$/,
  })
})

t.test('whoever gives up while an attempt is waited for waits no longer', async (t) => {
  const given = new AbortController()
  const { monad, asked } = clientOf(() => {
    setImmediate(() => given.abort(new Error('given up')))
    return refused(503, 'X', { 'retry-after': '60' })
  })
  await t.rejects(monad.info({ signal: given.signal }), { message: 'given up' })
  t.equal(asked.length, 1)
})

t.test('a base address may end in a slash, and a client needs a key and a trust document', async (t) => {
  const urls: string[] = []
  const options = { trust: trusted, protocols: { monad: evmThree } }
  const { monad } = clientOf(() => said({}), { baseUrl: 'https://other.example/', onRequest: ({ url }) => urls.push(url) })
  await monad.info()
  t.same(urls, ['https://other.example/api/v1/evm-three/native/staking-info'])
  for (const apiKey of ['', 7 as never]) t.throws(() => createClient({ ...options, apiKey }), { name: 'SetupError', message: /An API key/ })
  for (const key of [
    { kty: 'RSA', kid: 'a' },
    { kty: 'OKP', kid: 'a', crv: 'X25519' },
  ])
    t.throws(() => createClient({ ...options, apiKey: 'k', trust: { ...trusted, keys: [key] } }), {
      name: 'SetupError',
      message: /no Ed25519 key/,
    })
})

t.test('until when a transaction can land is what the service says beside it; what cannot be read says nothing', async (t) => {
  const craft = async (header?: string) => {
    const { monad } = clientOf(() => ({ ...said(craftAt(0)), headers: header === undefined ? {} : { 'x-valid-until': header } }))
    return (await monad.delegate(wanted)).validUntil
  }
  t.same(await craft('{"kind":"nonce","value":"0","estimated_at":null}'), { kind: 'nonce', value: '0', estimatedAt: null })
  for (const header of [undefined, 'soon', '{"kind":7}', 'null', '[]']) t.equal(await craft(header), null, String(header))
})

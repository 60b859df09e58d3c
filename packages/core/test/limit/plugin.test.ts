import { declareErrors, isServiceError } from '@svc/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import t from 'tap'
import { trusts } from '../../src/base/client-address.ts'
import { type LimitOptions, limit } from '../../src/limit/plugin.ts'

const { unauthorized } = declareErrors({ API_KEY_INVALID: [401, 'Api key invalid.'] })

const valid = new Set(['key-a', 'key-b'])

/** Three hooks in the server's order: identify, limit, refuse. */
async function start(now?: () => number, more: Partial<LimitOptions> = {}): Promise<FastifyInstance> {
  const app = Fastify({ trustProxy: trusts(['127.0.0.1', '10.0.0.0/8']) })
  const who = new WeakMap<object, string>()
  app.addHook('onRequest', async (request) => {
    const key = request.headers['x-api-key']
    if (typeof key === 'string' && valid.has(key)) who.set(request, `ulid of ${key}`)
  })
  await app.register(limit, {
    principal: (request) => who.get(request) ?? null,
    max: { key: 200, address: 60, console: 600 },
    ...(now && { now }),
    ...more,
  })
  app.addHook('onRequest', app.countRequest)
  app.addHook('onRequest', async (request) => {
    if (!who.has(request)) throw unauthorized('API_KEY_INVALID', 'the API key is not valid')
  })
  app.setErrorHandler((error, _request, reply) =>
    isServiceError(error)
      ? reply.code(error.statusCode).send({ code: error.code, error: error.message, after: error.retryAfter })
      : reply.send(error),
  )
  app.get('/one', async () => 'one')
  app.get('/two', async () => 'two')
  app.get('/file', { config: { limited: 'console' } }, async () => 'file')
  app.get('/free', { config: { limited: false } }, async () => 'free')
  return app
}

async function statuses(
  app: FastifyInstance,
  calls: number,
  headers: (call: number) => Record<string, string>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let call = 0; call < calls; call++) {
    const { statusCode } = await app.inject({ url: call % 2 === 0 ? '/one' : '/two', headers: headers(call) })
    counts[statusCode] = (counts[statusCode] ?? 0) + 1
  }
  return counts
}

t.test('a key has 200 calls a minute over all routes, and another key its own', async (t) => {
  const app = await start()
  t.same(await statuses(app, 240, () => ({ 'x-api-key': 'key-a' })), { 200: 200, 429: 40 })
  t.same(await statuses(app, 10, () => ({ 'x-api-key': 'key-b' })), { 200: 10 })
  await app.close()
})

t.test('made-up keys are charged to the address: 60 times 401, then 429', async (t) => {
  const app = await start()
  t.same(await statuses(app, 70, (call) => ({ 'x-api-key': `forged ${call}` })), { 401: 60, 429: 10 })
  t.same(await statuses(app, 10, () => ({ 'x-api-key': 'key-a' })), { 200: 10 }, 'a valid key from that address still passes')
  t.same(await statuses(app, 10, () => ({ 'x-forwarded-for': '203.0.113.9' })), { 401: 10 }, 'and so does another address')
  await app.close()
})

t.test('addresses of one IPv6 /64 share a budget, and a mapped IPv4 address is that IPv4 address', async (t) => {
  const app = await start()
  t.same(await statuses(app, 70, (call) => ({ 'x-forwarded-for': `2001:db8:1:2::${call.toString(16)}` })), { 401: 60, 429: 10 })
  t.same(await statuses(app, 1, () => ({ 'x-forwarded-for': '2001:db8:1:3::1' })), { 401: 1 })
  t.same(await statuses(app, 60, () => ({ 'x-forwarded-for': '192.0.2.1' })), { 401: 60 })
  t.same(await statuses(app, 1, () => ({ 'x-forwarded-for': '::ffff:192.0.2.1' })), { 429: 1 })
  await app.close()
})

t.test('a port that a proxy adds to the address opens no budget, and what is not an address shares one', async (t) => {
  const app = await start()
  const forms = (port: number) => [`192.0.2.7:${port}`, '192.0.2.7', ` 192.0.2.7:${port}`, '::ffff:192.0.2.7', `[::ffff:192.0.2.7]:${port}`]
  const of = (call: number) => forms(1024 + call)[call % 5]!
  t.same(await statuses(app, 70, (call) => ({ 'x-forwarded-for': of(call) })), { 401: 60, 429: 10 })
  const six = (call: number) => [`[2001:db8:7::1]:${1024 + call}`, '[2001:db8:7::2]', '2001:db8:7::3', '2001:DB8:7::4%eth0'][call % 4]!
  t.same(await statuses(app, 70, (call) => ({ 'x-forwarded-for': six(call) })), { 401: 60, 429: 10 })
  const garbage = (call: number) =>
    ['unknown', '_hidden', '', `${call}`, `1.2.3.4.${call}`, `999.1.1.${call}`, `1.2.3.4:x${call}`][call % 7]!
  const more = await statuses(app, 70, (call) => ({ 'x-forwarded-for': garbage(call) || `;${call}` }))
  t.same(more, { 401: 60, 429: 10 })
  // A trusted proxy that stands behind another, which writes its port too.
  const chain = (call: number) => `203.0.113.5:${1024 + call}, 10.0.0.9:${1024 + call}`
  t.same(await statuses(app, 70, (call) => ({ 'x-forwarded-for': chain(call) })), { 401: 60, 429: 10 })
  t.same(await statuses(app, 1, () => ({ 'x-forwarded-for': '203.0.113.6, 10.0.0.9:80' })), { 401: 1 })
  await app.close()
})

t.test('how many bits of an IPv6 address are one caller is a setting', async (t) => {
  const app = await start(undefined, { ipv6Prefix: 48 })
  t.same(await statuses(app, 70, (call) => ({ 'x-forwarded-for': `2001:db8:1:${call.toString(16)}::1` })), { 401: 60, 429: 10 })
  t.same(await statuses(app, 1, () => ({ 'x-forwarded-for': '2001:db8:2::1' })), { 401: 1 })
  await app.close()
})

t.test("files have a budget of the address's own, and what is free is not counted", async (t) => {
  const app = await start(undefined, { max: { key: 200, address: 60, console: 3 } })
  const many = async (url: string, headers = {}) => {
    const replies = []
    for (let time = 0; time < 5; time++) replies.push(await app.inject({ url, headers: { 'x-api-key': 'key-a', ...headers } }))
    return replies
  }
  t.same(
    (await many('/file')).map(({ statusCode }) => statusCode),
    [200, 200, 200, 429, 429],
  )
  t.match((await many('/file'))[4]!.json(), {
    code: 'RATE_LIMITED',
    error: /limit of 3 requests per minute for this address to the console/,
  })
  const [free, one] = [(await many('/free'))[4]!, (await many('/one'))[0]!]
  t.equal(free.statusCode, 200)
  t.notOk('ratelimit' in free.headers || 'x-ratelimit-limit' in free.headers)
  t.match([one.statusCode, one.headers.ratelimit], [200, '"key";r=199;t=60'])
  t.equal((await many('/file', { 'x-forwarded-for': '192.0.2.9' }))[0]!.statusCode, 200, 'another address has its own')
  await app.close()
})

t.test('headers tell the limit, what remains and when the next place is free', async (t) => {
  let time = 0
  const app = await start(() => time)
  const call = () => app.inject({ url: '/one', headers: { 'x-api-key': 'key-a' } })
  const first = await call()
  t.match(first.headers, { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '199', 'x-ratelimit-reset': '60' })
  t.match(first.headers, { 'ratelimit-policy': '"key";q=200;w=60', ratelimit: '"key";r=199;t=60' })
  for (let calls = 1; calls < 200; calls++) await call()
  time = 20_500
  const refused = await call()
  t.equal(refused.statusCode, 429)
  t.match(refused.headers, { 'x-ratelimit-limit': '200', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '40', 'retry-after': '40' })
  t.match(refused.headers, { 'ratelimit-policy': '"key";q=200;w=60', ratelimit: '"key";r=0;t=40' })
  t.match(refused.json(), { code: 'RATE_LIMITED', after: 40, error: /limit of 200 requests per minute.*in 40 seconds/ })
  time = 59_999
  t.match((await call()).json(), { code: 'RATE_LIMITED', error: /in 1 second\.$/ })
  time = 60_000
  t.equal((await call()).statusCode, 200)
  await app.close()
})

t.test('a burst on both sides of a minute does not pass twice', async (t) => {
  let time = 59_000
  const app = await start(() => time)
  t.same(await statuses(app, 200, () => ({ 'x-api-key': 'key-a' })), { 200: 200 })
  time = 61_000
  t.same(await statuses(app, 200, () => ({ 'x-api-key': 'key-a' })), { 429: 200 })
  await app.close()
})

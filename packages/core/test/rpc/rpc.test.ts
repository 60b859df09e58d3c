import t from 'tap'
import { createRpc, type RpcOptions } from '../../src/rpc/rpc.ts'

type Answer = Response | Error | 'never' | 'never ends'
type Answers = Readonly<Record<string, (call: number, request: Request) => Answer>>

const ok = (result: string) => Response.json({ jsonrpc: '2.0', id: 1, result })
const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0","id":1,"method":"m"}' }
const cut = (code: string) => Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('secret-host'), { code }) })

/** Endpoints `http://a.test/`, `http://b.test/` … that answer as told, and what was asked of them, logged and counted. */
function group(answers: Answers, options: Partial<RpcOptions> = {}) {
  const asked: string[] = []
  const lines: string[] = []
  const counted: string[] = []
  const clock = { ms: 0 }
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const letter = new URL(request.url).hostname[0]!
    asked.push(letter)
    const answer = answers[letter]!(asked.filter((one) => one === letter).length, request)
    if (answer === 'never') return new Promise(() => undefined)
    if (answer === 'never ends') return new Response(new ReadableStream({ start: (body) => body.enqueue(Buffer.from('{')) }))
    if (answer instanceof Error) throw answer
    return answer
  }
  const rpc = createRpc({
    endpoints: Object.keys(answers).map((letter) => ({ url: `http://${letter}.test/` })),
    name: 'hub-two main rpc',
    log: { warn: (line: object) => lines.push(JSON.stringify(line)) } as RpcOptions['log'],
    metrics: { upstream: (upstream, endpoint, outcome) => counted.push(`${upstream} ${endpoint} ${outcome}`), count: () => undefined },
    now: () => clock.ms,
    fetch,
    ...options,
  })
  const ask = async (init: RequestInit = post, path = '/') => rpc.fetch(`http://upstream.invalid${path}`, init)
  const result = async () => ((await (await ask()).json()) as { result: string }).result
  return { rpc, ask, result, asked, lines, counted, clock }
}

t.test('the first endpoint answers, and the others are not asked', async (t) => {
  const { result, asked, lines, counted } = group({ a: () => ok('a'), b: () => ok('b') })
  t.equal(await result(), 'a')
  t.same(asked, ['a'])
  t.same(lines, [])
  t.same(counted, ['hub-two main rpc 1 ok'])
})

t.test('what says nothing of the chain is asked of the next endpoint', async (t) => {
  const html = () => new Response('<html>502 Bad Gateway</html>', { headers: { 'content-type': 'text/html' } })
  const failures: Record<string, () => Answer> = {
    'network ECONNREFUSED': () => cut('ECONNREFUSED'),
    'network ENOTFOUND': () => cut('ENOTFOUND'),
    'network error': () => new TypeError('fetch failed'),
    busy: () => new Response('{}', { status: 429 }),
    'not json': html,
    'http 301': () => new Response(null, { status: 301, headers: { location: 'http://elsewhere.test/' } }),
    'too large': () => new Response('['.padEnd(2000)),
  }
  for (const status of [401, 402, 403, 404, 405, 408, 500, 502, 503, 504]) failures[`http ${status}`] = () => new Response('{}', { status })
  for (const [reason, answer] of Object.entries(failures)) {
    const { result, asked, lines, counted } = group({ a: answer, b: () => ok('b') }, { mostBytes: 1000 })
    t.equal(await result(), 'b', reason)
    t.same(asked, ['a', 'b'])
    t.same(counted, [`hub-two main rpc 1 ${reason}`, 'hub-two main rpc 2 ok'])
    t.equal(lines.length, 1)
    t.match(JSON.parse(lines[0]!), { upstream: 'hub-two main rpc', endpoint: 1, reason, ms: Number })
    t.notMatch(lines[0], /\.test|secret|http:/, 'the log names no host')
  }
})

t.test("the chain's answers are passed on, errors too", async (t) => {
  for (const answer of [
    () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'execution reverted' } }),
    () => Response.json({ jsonrpc: '2.0', id: 1, error: { code: -32700, message: 'parse error' } }, { status: 400 }),
    () => Response.json([{ id: 1 }, { id: 2 }]),
  ]) {
    const { ask, asked } = group({ a: answer, b: () => ok('b') })
    const reply = await ask()
    t.equal(reply.status, answer().status)
    t.same(await reply.json(), await answer().json())
    t.same(asked, ['a'])
  }
})

t.test('a GET of something that does not exist is an answer, and need not be JSON', async (t) => {
  const { ask, asked } = group({ a: () => new Response('no such account', { status: 404 }), b: () => ok('b') })
  const reply = await ask({}, '/accounts/x')
  t.equal(reply.status, 404)
  t.equal(await reply.text(), 'no such account')
  t.same(asked, ['a'])
})

t.test('gRPC-web passes as it is, refusals too, and what is no whole answer is asked of the next endpoint', async (t) => {
  const data = Buffer.from([0, 0, 0, 0, 1, 8])
  const trailers = Buffer.concat([Buffer.from([0x80, 0, 0, 0, 15]), Buffer.from('grpc-status: 5\n')])
  const headers = { 'content-type': 'application/grpc-web+proto' }
  const whole = Buffer.concat([data, trailers])
  const init = { method: 'POST', headers, body: data }
  for (const answer of [new Response(whole, { headers }), new Response(null, { headers: { ...headers, 'grpc-status': '5' } })]) {
    const expected = Buffer.from(await answer.clone().arrayBuffer())
    const { ask, asked } = group({ a: () => answer, b: () => ok('b') })
    const reply = await ask(init, '/service/Method')
    t.ok(Buffer.from(await reply.arrayBuffer()).equals(expected))
    t.equal(reply.headers.get('grpc-status'), answer.headers.get('grpc-status'))
    t.same(asked, ['a'])
  }
  for (const bytes of [data, whole.subarray(0, -1), Buffer.concat([whole, data]), Buffer.from('<html>'), Buffer.alloc(0)]) {
    const { ask, counted } = group({ a: () => new Response(bytes, { headers }), b: () => new Response(whole, { headers }) })
    await ask(init, '/service/Method')
    t.same(counted, ['hub-two main rpc 1 not grpc', 'hub-two main rpc 2 ok'])
  }
  const { ask, counted } = group({ a: () => ok('no gRPC'), b: () => new Response(whole, { headers }) })
  await ask(init, '/service/Method')
  t.same(counted, ['hub-two main rpc 1 not grpc', 'hub-two main rpc 2 ok'])
})

t.test('an endpoint that does not answer, or never ends its answer, is left after its time', async (t) => {
  for (const answer of ['never', 'never ends'] as const) {
    const { result, counted } = group({ a: () => answer, b: () => ok('b') }, { timeoutMs: 20 })
    t.equal(await result(), 'b')
    t.equal(counted[0], 'hub-two main rpc 1 timeout')
  }
})

t.test('when every endpoint failed the caller learns which chain, how, and no address', async (t) => {
  const dead = () => cut('ECONNREFUSED')
  const busy = (wait?: string) => () => new Response('{}', { status: 429, headers: wait === undefined ? {} : { 'retry-after': wait } })
  for (const [answers, statusCode, code, retryAfter] of [
    [{ a: dead }, 502, 'UPSTREAM_UNAVAILABLE', undefined],
    [{ a: dead, b: () => new Response('{}', { status: 500 }) }, 502, 'UPSTREAM_UNAVAILABLE', undefined],
    [{ a: busy(), b: dead }, 502, 'UPSTREAM_UNAVAILABLE', undefined],
    [{ a: dead, b: () => 'never' as const }, 504, 'UPSTREAM_TIMEOUT', undefined],
    [{ a: () => 'never' as const, b: dead }, 504, 'UPSTREAM_TIMEOUT', undefined],
    [{ a: () => 'never' as const }, 504, 'UPSTREAM_TIMEOUT', undefined],
    [{ a: busy('7'), b: busy('4') }, 503, 'UPSTREAM_BUSY', 4],
    [{ a: busy() }, 503, 'UPSTREAM_BUSY', 1],
    [{ a: () => new Response('', { status: 503, headers: { 'retry-after': '9' } }) }, 503, 'UPSTREAM_BUSY', 9],
  ] as [Answers, number, string, number | undefined][]) {
    const { ask } = group(answers, { timeoutMs: 20 })
    await t.rejects(ask(), { name: 'ServiceError', statusCode, code, retryAfter, message: /^The upstream hub-two main rpc / }, code)
    await ask().catch((error: Error) => t.notMatch(`${error.message} ${error.cause}`, /\.test|secret|http/))
  }
})

t.test('the whole call has a deadline, after which no further endpoint is asked', async (t) => {
  const clock = { ms: 0 }
  const slow = () => {
    clock.ms += 4000
    return cut('ECONNREFUSED')
  }
  const { ask, asked } = group({ a: slow, b: slow, c: slow, d: slow }, { now: () => clock.ms })
  await t.rejects(ask(), { statusCode: 504, code: 'UPSTREAM_TIMEOUT' })
  t.same(asked, ['a', 'b', 'c'])
})

t.test('an endpoint with less than its time before the deadline is not held to be slow', async (t) => {
  const clock = { ms: 0 }
  const answers = {
    a: () => {
      clock.ms += 11_980
      return cut('ECONNREFUSED')
    },
    b: () => 'never' as const,
  }
  const { rpc, ask } = group(answers, { now: () => clock.ms })
  await t.rejects(ask(), { code: 'UPSTREAM_TIMEOUT' })
  t.match(rpc.endpoints(), [
    { number: 1, healthy: false },
    { number: 2, healthy: true },
  ])
})

t.test('a failed endpoint cools down: one second, then twice as long each time, half a minute at most', async (t) => {
  let sound = false
  const { rpc, result, asked, clock } = group({ a: () => (sound ? ok('a') : cut('ECONNREFUSED')), b: () => ok('b') })
  const next = async () => {
    asked.length = 0
    await result()
    return asked.join('')
  }
  t.equal(await next(), 'ab')
  for (const wait of [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
    clock.ms += wait - 1
    t.equal(await next(), 'b', `cooling for ${wait} ms`)
    clock.ms += 1
    t.equal(await next(), 'ab', 'then it is asked again')
  }
  t.match(rpc.endpoints(), [
    { number: 1, healthy: false, failures: 8, reason: 'network ECONNREFUSED', coolingMs: 30_000 },
    { healthy: true },
  ])
  sound = true
  clock.ms += 30_000
  t.equal(await next(), 'a')
  t.match(rpc.endpoints(), [{ number: 1, healthy: true, failures: 0, reason: null, coolingMs: 0 }, { healthy: true }])
})

t.test('an endpoint that is found to be well while it rests, and fails once more, rests once more', async (t) => {
  let sound = false
  const { rpc, result, asked } = group({ a: () => (sound ? ok('a') : cut('ECONNREFUSED')), b: () => ok('b') })
  t.equal(await result(), 'b')
  sound = true
  // As what is asked of each endpoint by itself.
  await rpc.singles()[0]!.fetch('http://group.test/')
  t.match(rpc.endpoints()[0], { healthy: true, coolingMs: 0 })
  sound = false
  asked.length = 0
  t.same([await result(), await result(), await result()], ['b', 'b', 'b'])
  t.equal(asked.join(''), 'abbb', 'it is asked first once, and not each time until the first rest would have been over')
  t.match(rpc.endpoints()[0], { healthy: false, failures: 1, coolingMs: 1000 })
})

t.test('one call finds out whether an endpoint has recovered, the others go elsewhere', async (t) => {
  let release: (answer: Response) => void = () => undefined
  const held = new Promise<Response>((resolve) => {
    release = resolve
  })
  const asked: string[] = []
  let failed = false
  const fetch = async (input: string | URL | Request) => {
    const letter = new URL(String(input)).hostname[0]!
    asked.push(letter)
    if (letter === 'b') return ok('b')
    if (failed) return held
    failed = true
    throw cut('ECONNREFUSED')
  }
  const { result, clock } = group({ a: () => 'never', b: () => 'never' }, { fetch })
  t.equal(await result(), 'b')
  clock.ms = 1000
  asked.length = 0
  const results = [result(), result(), result()]
  t.same(await Promise.all(results.slice(1)), ['b', 'b'])
  release(ok('a'))
  t.equal(await results[0], 'a')
  t.same(asked.toSorted(), ['a', 'b', 'b'])
})

t.test('calls that fail together are one failure, and while all cool down all are tried', async (t) => {
  const { rpc, ask, asked } = group({ a: () => cut('ECONNREFUSED'), b: () => cut('ECONNREFUSED') })
  await Promise.allSettled(Array.from({ length: 20 }, () => ask()))
  t.equal(asked.length, 40)
  t.match(rpc.endpoints(), [
    { failures: 1, coolingMs: 1000 },
    { failures: 1, coolingMs: 1000 },
  ])
})

t.test('a busy endpoint cools down for as long as it asks', async (t) => {
  const { rpc, result } = group({ a: () => new Response('', { status: 429, headers: { 'retry-after': '20' } }), b: () => ok('b') })
  await result()
  t.equal(rpc.endpoints()[0]!.coolingMs, 20_000)
})

t.test('a caller that gives up gets its own reason, and no endpoint is blamed', async (t) => {
  const { rpc, asked, lines } = group({ a: () => 'never', b: () => ok('b') })
  const controller = new AbortController()
  const reason = new RangeError('the caller went away')
  const call = rpc.fetch('http://upstream.invalid/', { ...post, signal: controller.signal })
  setImmediate(() => controller.abort(reason))
  await t.rejects(call, reason)
  await t.rejects(rpc.fetch('http://upstream.invalid/', { ...post, signal: controller.signal }), reason)
  t.same(asked, ['a'])
  t.same(lines, [])
  t.match(rpc.endpoints(), [{ healthy: true }, { healthy: true }])
})

t.test('close ends the calls under way and refuses further ones', async (t) => {
  const { rpc, ask } = group({ a: () => 'never' })
  const call = ask()
  setImmediate(() => rpc.close())
  await t.rejects(call, { name: 'AbortError' })
  await t.rejects(ask(), { name: 'AbortError' })
})

t.test('a single endpoint is asked again after a cut connection, and only once', async (t) => {
  const once = group({ a: (call) => (call === 1 ? cut('ECONNRESET') : ok('a')) })
  t.equal(await once.result(), 'a')
  t.same(once.lines, [])
  const always = group({ a: () => cut('UND_ERR_SOCKET') })
  await t.rejects(always.ask(), { code: 'UPSTREAM_UNAVAILABLE' })
  t.same(always.asked, ['a', 'a'])
  const two = group({ a: () => cut('ECONNRESET'), b: () => ok('b') })
  t.equal(await two.result(), 'b')
  t.same(two.asked, ['a', 'b'])
})

t.test("path, query, method, body and headers reach the endpoint, with the endpoint's own on top", async (t) => {
  const seen: { url: string; method: string; headers: Record<string, string>; body: string }[] = []
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input, init)
    seen.push({ url: request.url, method: request.method, headers: Object.fromEntries(request.headers), body: await request.text() })
    return ok('')
  }
  const to = async (url: string, headers: Record<string, string>, ...call: Parameters<typeof globalThis.fetch>) => {
    const rpc = createRpc({ endpoints: [{ url, headers }], name: 'n', log: { warn: () => undefined }, fetch })
    await rpc.fetch(...call)
    return seen.at(-1)!
  }
  t.match(
    await to('https://us%40er:p%3Aw@a.test/v3/key', { 'X-Api-Key': 'mine' }, 'http://upstream.invalid/', {
      ...post,
      headers: { ...post.headers, 'x-api-key': 'theirs', 'x-own': 'kept' },
    }),
    {
      url: 'https://a.test/v3/key',
      method: 'POST',
      headers: { 'x-api-key': 'mine', 'x-own': 'kept', authorization: `Basic ${Buffer.from('us@er:p:w').toString('base64')}` },
      body: post.body,
    },
  )
  t.match(await to('http://a.test/base/?key=1', {}, 'http://upstream.invalid/block?height=5'), {
    url: 'http://a.test/base/block?key=1&height=5',
    method: 'GET',
  })
  t.match(await to('http://a.test/base/', {}, 'http://upstream.invalid/'), { url: 'http://a.test/base/' })
  t.match(await to('http://a.test', {}, new URL('http://upstream.invalid/x')), { url: 'http://a.test/x' })
  t.match(await to('http://a.test', {}, new Request('http://upstream.invalid/x', post)), {
    url: 'http://a.test/x',
    method: 'POST',
    body: post.body,
  })
  t.match(await to('http://a.test', {}, 'http://upstream.invalid/x', { method: 'POST', body: new Blob(['blob']) }), { body: 'blob' })
})

t.test('an endpoint that cannot be used is refused at start, by number and without its address', async (t) => {
  for (const endpoints of [
    [],
    [{ url: 'a.test/secret' }],
    [{ url: 'http://a.test' }, { url: 'ftp://a.test/secret' }],
    [{ url: 'http://a.test', headers: { 'x-api-key': 'secret\n' + 'secret' } }],
    [{ url: 'http://a.test', headers: { 'secret header': 'x' } }],
  ]) {
    const create = () => createRpc({ endpoints, name: 'hub-two main rpc', log: { warn: () => undefined } })
    t.throws(create, { name: 'ServiceError', code: 'ENDPOINT_INVALID', message: /hub-two main rpc/ })
    t.throws(create, { message: /^(?!.*secret)/ })
  }
})

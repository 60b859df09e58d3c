import { declareErrors, EndpointError } from '@svc/contract'
import t from 'tap'
import { createRpc, type RpcOptions } from '../../src/rpc/rpc.ts'

const { badGateway, badRequest, unavailable } = declareErrors({ CHAIN_WOULD_REFUSE: [400, 'Chain would refuse.'] })

/** Two endpoints `http://a.test/`, `http://b.test/` that answer their letter, or as told. */
function group(answers: Record<string, (init?: RequestInit) => Promise<Response>> = {}, options: Partial<RpcOptions> = {}) {
  const asked: string[] = []
  const counted: string[] = []
  const rpc = createRpc({
    endpoints: ['a', 'b'].map((letter) => ({ url: `http://${letter}.test/` })),
    name: 'hub-two main rpc',
    log: { warn: () => undefined },
    metrics: { upstream: (_name, endpoint, outcome) => counted.push(`${endpoint} ${outcome}`), count: () => undefined },
    fetch: (async (address: string, init?: RequestInit) => {
      const letter = new URL(address).hostname[0]!
      asked.push(letter)
      return (answers[letter] ?? (async () => new Response(letter)))(init)
    }) as typeof fetch,
    ...options,
  })
  return { rpc, asked, counted }
}
const text = async (send: typeof fetch) => (await send('http://upstream.invalid/')).text()
const otherChain = () => new EndpointError('other chain', badGateway('UPSTREAM_OTHER_CHAIN', 'another chain'))

t.test('all calls of an exchange go to one endpoint, and the whole work begins anew with the next', async (t) => {
  const { rpc, asked, counted } = group()
  const places: number[] = []
  const result = await rpc.exchange(async (send, endpoint) => {
    places.push(endpoint)
    const seen = [await text(send), await text(send)]
    if (seen[0] === 'a') throw otherChain()
    return seen
  })
  t.same(result, ['b', 'b'])
  t.same(places, [1, 2])
  t.same(asked, ['a', 'a', 'b', 'b'])
  t.same(counted, ['1 other chain', '2 ok'])
  t.match(rpc.endpoints(), [{ healthy: false, reason: 'other chain' }, { healthy: true }])
})

t.test('when no endpoint is left, the caller learns what was wrong with the last one', async (t) => {
  const { rpc } = group()
  const behind = unavailable('UPSTREAM_BEHIND', 'behind', 60)
  await t.rejects(
    rpc.exchange(async (_send, endpoint) => {
      throw endpoint === 1 ? otherChain() : new EndpointError('behind', behind)
    }),
    behind,
  )
  const { rpc: busy } = group()
  await t.rejects(
    busy.exchange(async () => {
      throw new EndpointError('busy', unavailable('UPSTREAM_BUSY', 'busy', 7))
    }),
    { code: 'UPSTREAM_BUSY', retryAfter: 7 },
  )
})

t.test("the chain's own refusal is an answer: no further endpoint is asked and none is blamed", async (t) => {
  const { rpc, asked } = group()
  const refusal = badRequest('CHAIN_WOULD_REFUSE', 'no')
  await t.rejects(
    rpc.exchange(async (send) => {
      await text(send)
      throw refusal
    }),
    refusal,
  )
  t.same(asked, ['a'])
  t.match(rpc.endpoints(), [{ healthy: true }, { healthy: true }])
})

t.test('an endpoint that failed one call of several is not left alone for it', async (t) => {
  const { rpc } = group()
  await rpc.exchange(async (_send, endpoint) => {
    if (endpoint === 1) throw new EndpointError('malformed', badGateway('UPSTREAM_ERROR', 'x'), { partial: true })
  })
  t.match(rpc.endpoints(), [{ healthy: true }, { healthy: true }])
})

t.test('an endpoint that does not hold what was asked for is well, and is neither reported nor left alone', async (t) => {
  const warned: unknown[] = []
  const { rpc, counted } = group({}, { log: { warn: (...words: unknown[]) => warned.push(words) } })
  const notHeld = new EndpointError('not held', badGateway('UPSTREAM_ERROR', 'nobody has it'))
  const endpoints: number[] = []
  const lacking = async (_send: unknown, endpoint: number) => {
    endpoints.push(endpoint)
    throw notHeld
  }
  await t.rejects(rpc.exchange(lacking), notHeld.refusal)
  await t.rejects(rpc.exchange(lacking, { kind: 'x', compare: (value) => ({ value }) }), notHeld.refusal)
  t.same(endpoints, [1, 2, 1, 2])
  t.same(counted, ['1 ok', '2 ok', '1 ok', '2 ok'])
  t.same(warned, [])
  t.match(rpc.endpoints(), [
    { healthy: true, reason: null },
    { healthy: true, reason: null },
  ])
})

t.test(
  'an answer of JSON-RPC to the very call is an answer under 404, 500 and 503 too, and its endpoint goes on being asked',
  async (t) => {
    const question = { jsonrpc: '2.0', id: 7, method: 'm' }
    const refusal = { jsonrpc: '2.0', id: 7, error: { code: 3, message: 'execution reverted' } }
    const init = (body: unknown) => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
    const told = async (
      answer: unknown,
      more: { status?: number; type?: string; headers?: Record<string, string>; sent?: unknown } = {},
    ) => {
      const { status = 500, type = 'application/json', headers = {}, sent = question } = more
      const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
      const { rpc, asked } = group({
        a: async () => new Response(text, { status, headers: { 'content-type': type, ...headers } }),
        b: async () => Response.json({ jsonrpc: '2.0', id: 7, result: 'b' }),
      })
      const body = await rpc.exchange(async (send) => (await send('http://upstream.invalid/', init(sent))).json())
      return { body, asked: asked.join(''), healthy: rpc.endpoints()[0]?.healthy }
    }
    const verdict = { body: refusal, asked: 'a', healthy: true }
    t.same(await told(refusal), verdict)
    t.same(await told(refusal, { status: 503, type: 'application/json; charset=utf-8' }), verdict)
    t.same(await told(refusal, { status: 404 }), verdict, 'a method that is not there')
    const both = [question, { ...question, id: 8 }]
    const answers = [refusal, { jsonrpc: '2.0', id: 8, result: null }]
    t.same(await told(answers, { sent: both }), { ...verdict, body: answers }, 'each of a batch')
    for (const [why, answer, more] of [
      ['another id', { ...refusal, id: 8 }],
      ['no id', { ...refusal, id: null }],
      ['the id as a text', { ...refusal, id: '7' }],
      ['neither result nor error', { id: 7 }],
      ['both', { ...refusal, result: 'x' }],
      ['an error without a code', { id: 7, error: { message: 'no' } }],
      ['an error without words', { id: 7, error: { code: 3 } }],
      ['an error that is a text', { id: 7, error: 'no' }],
      ['one answer of two', [refusal], { sent: both }],
      ['one answer twice', [refusal, refusal], { sent: both }],
      ['an answer too many', [refusal, { id: 9, result: 1 }]],
      ['what is no call of JSON-RPC', { error: refusal.error }, { sent: { query: '{ m }' } }],
      ['a page', '<html>', { type: 'text/html' }],
      ['an answer that says that it is a page', refusal, { type: 'text/html' }],
      ['half an answer', JSON.stringify(refusal).slice(0, -1)],
      ['another status', refusal, { status: 502 }],
      ['a wait that is asked for', refusal, { status: 503, headers: { 'retry-after': '3' } }],
    ] as const)
      t.match(await told(answer, more ?? {}), { body: { result: 'b' }, asked: 'ab', healthy: false }, why)
  },
)

t.test('failures of the network and of HTTP within an exchange lead on; what is still under way is given up', async (t) => {
  let aborted = false
  const { rpc, asked } = group({
    a: (init) =>
      asked.length > 1
        ? Promise.resolve(new Response(null, { status: 500 }))
        : new Promise((_resolve, reject) =>
            init!.signal!.addEventListener('abort', () => {
              aborted = true
              reject(init!.signal!.reason)
            }),
          ),
  })
  const both = await rpc.exchange((send) => Promise.all([text(send), text(send)]))
  t.same(both, ['b', 'b'])
  t.ok(aborted)
})

t.test('a refusal by HTTP is handed over within an exchange, whatever its body', async (t) => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[]' }
  const { rpc } = group({ a: async () => new Response('no batches here', { status: 400 }), b: async () => Response.json('b') })
  t.equal(await rpc.exchange(async (send) => (await send('http://upstream.invalid/', init)).status), 400)
  t.equal(await (await rpc.fetch('http://upstream.invalid/', init)).json(), 'b', 'outside of one it is no answer')
})

t.test('no more requests are under way to an endpoint than allowed, and no more wait than can be served', async (t) => {
  const running: (() => void)[] = []
  let most = 0
  const slow = () =>
    new Promise<Response>((resolve) => {
      most = Math.max(
        most,
        running.push(() => resolve(new Response('slow'))),
      )
    })
  const { rpc } = group({ a: slow, b: slow }, { endpoints: [{ url: 'http://a.test/' }], mostInFlight: 2 })
  const calls = Array.from({ length: 80 }, () => rpc.exchange(text).catch((error: { code: string }) => error.code))
  await new Promise((resolve) => setImmediate(resolve))
  t.same(rpc.inFlight(), { running: 2, waiting: 64 })
  while (running.length > 0 || rpc.inFlight().running > 0) {
    for (const end of running.splice(0)) end()
    await new Promise((resolve) => setImmediate(resolve))
  }
  const outcomes = await Promise.all(calls)
  t.equal(most, 2)
  t.equal(outcomes.filter((one) => one === 'slow').length, 66)
  t.equal(outcomes.filter((one) => one === 'UPSTREAM_BUSY').length, 14)
  t.match(rpc.endpoints(), [{ healthy: true }], 'it is not its fault')
})

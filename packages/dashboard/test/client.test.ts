import t from 'tap'
import { createClient } from '../src/api/client.ts'
import type { ApiFailure } from '../src/api/failure.ts'

/** A client on an API that answers as it is told, and what it was asked. */
function client(reply: () => Response | Promise<Response>) {
  const asked: { url: string; init: RequestInit }[] = []
  const ended: string[] = []
  const session = new AbortController()
  const api = createClient({
    base: 'http://stake.test/prefix/api/v1/',
    token: () => 'own',
    signal: () => session.signal,
    unauthorized: (token) => ended.push(token),
    now: () => 1_000_000,
    fetch: async (url, init = {}) => {
      asked.push({ url: String(url), init })
      init.signal?.throwIfAborted()
      return reply()
    },
  })
  return { api, asked, ended, session }
}

const failureOf = (call: Promise<unknown>): Promise<ApiFailure> =>
  call.then(
    () => Promise.reject(new Error('it succeeded')),
    (error: ApiFailure) => error,
  )

t.test('asks below its base, with the token in its header alone', async (t) => {
  const { api, asked } = client(() => new Response('{"amount":100000000000000000001}'))
  t.same(await api.call('audit', { query: { q: 'a b', limit: 50, key: null, action: '' } }), { amount: '100000000000000000001' })
  t.equal(asked[0]?.url, 'http://stake.test/prefix/api/v1/audit?q=a+b&limit=50')
  t.match(asked[0]?.init, {
    method: 'GET',
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    headers: { authorization: 'Bearer own' },
  })
  await api.call('apikeys', { method: 'POST', body: { name: 'backend' }, token: 'tried' })
  t.match(asked[1]?.init, {
    method: 'POST',
    body: '{"name":"backend"}',
    headers: { authorization: 'Bearer tried', 'content-type': 'application/json' },
  })
})

t.test('an answer without a body is null', async (t) => {
  t.equal(await client(() => new Response('')).api.call('apikeys/01', { method: 'DELETE' }), null)
})

t.test('refusals carry the sentence, the code, and when to try again', async (t) => {
  const body = { statusCode: 429, message: 'Too Many Requests', error: 'The limit is used up.', code: 'RATE_LIMITED' }
  const headers = { 'retry-after': '7', 'x-request-id': '01JD' }
  const { api } = client(() => new Response(JSON.stringify(body), { status: 429, headers }))
  t.match(await failureOf(api.call('audit')), {
    kind: 'limited',
    status: 429,
    message: 'The limit is used up.',
    code: 'RATE_LIMITED',
    retryAt: 1_007_000,
    requestId: '01JD',
  })
  for (const [status, kind] of [
    [400, 'refused'],
    [403, 'forbidden'],
    [404, 'missing'],
    [409, 'refused'],
    [500, 'failed'],
    [503, 'failed'],
  ] as const)
    t.match(await failureOf(client(() => new Response('<html>', { status })).api.call('audit')), {
      kind,
      code: null,
      message: `The service answered ${status}.`,
    })
  t.match(await failureOf(client(() => new Response('<html>')).api.call('audit')), { kind: 'failed', message: /not JSON/ })
})

t.test('a token that ended is told of, but not one that is only tried', async (t) => {
  const { api, ended } = client(() => new Response('{}', { status: 401 }))
  t.equal((await failureOf(api.call('session', { token: 'tried' }))).kind, 'unauthorized')
  t.same(ended, [])
  await failureOf(api.call('audit'))
  t.same(ended, ['own'])
})

t.test('no answer is a failure, an abort is none', async (t) => {
  const lost = client(() => Promise.reject(new TypeError('fetch failed')))
  t.match(await failureOf(lost.api.call('audit')), { kind: 'offline', status: 0, message: 'The service cannot be reached.' })
  t.match(await failureOf(client(() => Promise.reject(new DOMException('late', 'TimeoutError'))).api.call('audit')), {
    message: 'The service did not answer in time.',
  })
  const left = new AbortController()
  left.abort()
  await t.rejects(client(() => new Response('{}')).api.call('audit', { signal: left.signal }), { name: 'AbortError' })
  const { api, session } = client(() => new Response('{}'))
  session.abort()
  await t.rejects(api.call('audit'), { name: 'AbortError' })
})

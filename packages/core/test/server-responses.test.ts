import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { eventually } from '@svc/testing/eventually'
import { contentDigest, type ResponseVerdict, verifyResponse } from '@svc/verify/response'
import t, { type Test } from 'tap'
import { type ServeOptions, serve, signer } from './support/serve.ts'
import { exchange, get, listening, type WireReply } from './support/wire.ts'

const keys = signer.responses.keys.map(({ jwk }) => jwk)
const body = { address: 'p001', amount: 1 }

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A caller with a real connection, who binds what he can and checks what comes. */
async function caller(t: Test, options: ServeOptions = {}) {
  const served = await serve(t, options)
  await served.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = served.app.server.address() as AddressInfo
  const ask = async ({ method, path, body, headers = {} }: Asked) => {
    const request = {
      method,
      url: `http://127.0.0.1:${port}${path}`,
      headers: {
        'accept-encoding': 'identity',
        'x-nonce': randomBytes(12).toString('base64url'),
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-digest': await contentDigest(body) }),
        ...headers,
      },
      body,
    }
    const sentAt = new Date()
    const answer = await fetch(request.url, { method, headers: request.headers, ...(body === undefined ? {} : { body }) })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    const response = { status: answer.status, headers: answer.headers, bytes }
    const verdict = await verifyResponse({ request, response, keys, sentAt })
    return { request, response, sentAt, verdict, text: Buffer.from(bytes).toString() }
  }
  return { ...served, ask }
}

const why = (verdict: ResponseVerdict) => (verdict.ok ? 'accepted' : verdict.reason)

t.test('every kind of answer is bound to its request', async (t) => {
  const { ask, key, token } = await caller(t, { config: { limits: { body_bytes: 2048, address_per_minute: 40 } } })
  const own = { 'x-api-key': (await key()).value }
  const manage = { token: (await token()).value }
  const { ulid } = await key()
  const api = '/api/v1/paper/native'
  const post = (path: string, content: unknown, headers: Record<string, string> = own): Asked => ({
    method: 'POST',
    path,
    body: typeof content === 'string' ? content : JSON.stringify(content),
    headers,
  })
  const read = (path: string, headers: Record<string, string> = {}, method = 'GET'): Asked => ({ method, path, headers })
  const table: readonly (readonly [name: string, asked: Asked, status: number])[] = [
    ['craft', post(`${api}/action/give`, body, { ...own, 'x-network': '2' }), 200],
    ['read', read(`${api}/staking-balance/p001`, own), 200],
    ['query', read('/api/v1/apikeys?limit=1', manage), 200],
    ['bad request', post(`${api}/action/give`, {}), 400],
    ['no JSON', post(`${api}/action/give`, '{'), 400],
    ['unknown network', read(`${api}/networks`, { ...own, 'x-network': 'nowhere' }), 400],
    ['craft for an unknown network', post(`${api}/action/give`, body, { ...own, 'x-network': 'nowhere' }), 400],
    ['no key', read(`${api}/networks`), 401],
    ['wrong key', read(`${api}/networks`, { 'x-api-key': 'svc_01M7Z2ZYXEWDRY6E35WC7QAAAA_wrong' }), 401],
    ['unknown path of the API', read(`${api}/nowhere`, own), 404],
    ['unknown path', read('/nowhere?a=%2Fb'), 404],
    ['path with escapes', read('/no%20where/ä'), 404],
    ['bad escapes', read('/api/v1/%zz'), 400],
    ['too long', read(`${api}/staking-balance/${'p'.repeat(300)}`, own), 414],
    ['too large', post(`${api}/action/give`, JSON.stringify('x'.repeat(3000))), 413],
    ['other media type', { ...post(`${api}/action/give`, 'a,b'), headers: { ...own, 'content-type': 'text/csv' } }, 415],
    ['unprocessable', post(`${api}/action/strict`, {}), 422],
    ['fault', post(`${api}/action/fail`, { ...body, how: 'fault' }), 500],
    ['bytes that were withheld', post(`${api}/action/cheat`, body), 500],
    ['upstream trouble', post(`${api}/action/fail`, { ...body, how: 'busy' }), 503],
    ['nonce that is none', read('/api/v1/health', { 'x-nonce': 'short' }), 400],
    ['health', read('/api/v1/health'), 200],
    ['key as PEM', read('/api/v1/public-key'), 200],
    ['RSA keys', read('/api/v1/public-keys'), 200],
    ['directory', read('/.well-known/jwks.json'), 200],
    ['document', read('/openapi.json'), 200],
    ['console', read('/docs/'), 200],
    ['file of the console', read('/docs/static/swagger-ui.css'), 200],
    ['file that is not there', read('/docs/static/nothing.css'), 404],
    ['HEAD', read(`${api}/networks`, own, 'HEAD'), 200],
    ['HEAD of an unknown path', read('/nowhere', {}, 'HEAD'), 404],
    ['HEAD of the directory', read('/.well-known/jwks.json', {}, 'HEAD'), 200],
    ['creation', post('/api/v1/apikeys', { name: 'x' }, manage), 201],
    ['deletion', read(`/api/v1/apikeys/${ulid}`, manage, 'DELETE'), 200],
    ['OPTIONS', read(`${api}/networks`, own, 'OPTIONS'), 404],
  ]
  for (const [name, asked, status] of table) {
    const { response, verdict } = await ask(asked)
    t.equal(response.status, status, name)
    t.equal(why(verdict), 'accepted', `${name} is bound to its request`)
    t.match(response.headers.get('cache-control'), /no-transform/)
    t.equal(response.headers.get('content-encoding'), null)
  }
  let limited = await ask(read('/nowhere'))
  while (limited.response.status === 404) limited = await ask(read('/nowhere'))
  t.same([limited.response.status, why(limited.verdict)], [429, 'accepted'])
  const unchanged = await ask(read('/openapi.json', { 'if-none-match': '*' }))
  t.same([unchanged.response.status, why(unchanged.verdict)], [304, 'accepted'])
})

t.test('an answer is to no other request', async (t) => {
  const { ask, key } = await caller(t)
  const own = { 'x-api-key': (await key()).value }
  const path = '/api/v1/paper/native/action/give'
  const one = await ask({ method: 'POST', path, body: JSON.stringify(body), headers: { ...own, 'x-network': '1' } })
  const two = await ask({ method: 'POST', path, body: JSON.stringify(body), headers: { ...own, 'x-network': '2' } })
  const more = await ask({ method: 'POST', path, body: JSON.stringify({ ...body, amount: 2 }), headers: { ...own, 'x-network': '1' } })
  for (const asked of [two, more]) {
    const { request, sentAt } = asked
    const swapped = await verifyResponse({ request, response: one.response, keys, sentAt })
    t.match(why(swapped), /^The signature does not fit/)
  }
  const again = { ...one.request, headers: { ...one.request.headers, 'x-nonce': randomBytes(12).toString('base64url') } }
  t.match(why(await verifyResponse({ request: again, response: one.response, keys, sentAt: one.sentAt })), /^The signature does not fit/)
})

t.test('a digest or nonce that does not hold is refused before anything is done', async (t) => {
  const { ask, key, records } = await caller(t)
  const own = { 'x-api-key': (await key()).value }
  const post = async (digest: string, text = JSON.stringify(body)) => {
    const { text: answer, response } = await ask({
      method: 'POST',
      path: '/api/v1/paper/native/action/give',
      body: text,
      headers: { ...own, 'content-digest': digest },
    })
    return [response.status, (JSON.parse(answer) as { code?: string }).code]
  }
  const right = await contentDigest(JSON.stringify(body))
  const wrong = await contentDigest('{}')
  const sha512 = `sha-512=:${Buffer.from(await crypto.subtle.digest('SHA-512', Buffer.from(JSON.stringify(body)))).toString('base64')}:`
  const refused = [400, 'DIGEST_MISMATCH']
  for (const [digest, expected] of [
    [right, [200, undefined]],
    [sha512, [200, undefined]],
    [`${right}, ${sha512}`, [200, undefined]],
    [`md5=:AAAA:, ${right}`, [200, undefined]],
    [wrong, refused],
    [`${wrong}, ${sha512}`, refused],
    ['md5=:AAAA:', refused],
    ['sha-256=abc', refused],
    ['', refused],
    [right.toUpperCase(), refused],
  ] as const)
    t.same(await post(digest), expected, digest)
  const crafted = (await records(10)).filter(({ status }) => status === 200)
  t.equal(crafted.length, 4, 'nothing was crafted for the others')

  const read = async (headers: Record<string, string>) => {
    const { text, response, verdict } = await ask({ method: 'GET', path: '/api/v1/health', headers })
    return [response.status, (JSON.parse(text) as { code?: string }).code, why(verdict)]
  }
  t.same(await read({ 'content-digest': await contentDigest('') }), [200, undefined, 'accepted'])
  t.same(await read({ 'content-digest': wrong }), [400, 'DIGEST_MISMATCH', 'accepted'], 'the refusal is bound to the request, too')
  for (const nonce of ['a'.repeat(15), 'a'.repeat(129), `${'a'.repeat(16)}=`, `${'a'.repeat(16)} b`, ''])
    t.same(await read({ 'x-nonce': nonce }), [400, 'NONCE_INVALID', 'accepted'], nonce)
  for (const nonce of ['a'.repeat(16), 'aZ09_-'.repeat(21)]) t.same(await read({ 'x-nonce': nonce }), [200, undefined, 'accepted'])
})

t.test('a long body that does not fit is refused as well, and one that nobody reads keeps no connection', async (t) => {
  const { app, key, log } = await serve(t)
  const connect = await listening(t, app)
  const { value } = await key()
  const digest = await contentDigest('{}')
  const text = JSON.stringify(body)
  const head = `x-api-key: ${value}\r\nContent-Digest: ${digest}\r\n`
  const path = '/api/v1/paper/native/action/give'
  const post = (type: string, sent: string) =>
    `${get(path, `${head}Content-Type: ${type}\r\nContent-Length: ${sent.length}\r\n`, 'POST')}${sent}`
  const long = 'x'.repeat(100_000)
  for (const sent of [text, `"${long}"`]) t.match(await exchange(connect(), post('application/json', sent), 1), [{ status: 400 }])
  const socket = connect()
  t.match(await exchange(socket, post('text/csv', long), 1), [{ status: 415 }])
  t.match(await exchange(socket, get('/api/v1/health'), 1), [{ status: 200 }])
  const broken = connect()
  broken.write(`${get(path, `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n`, 'POST')}{"a`)
  broken.end()
  await eventually('the request that broke off has ended', async () => log.some(({ code }) => code === 'CALLER_GONE'))
})

/** How an answer that came over a socket is judged. */
async function judge(
  { status, headers, body }: WireReply,
  method: string,
  path: string,
  sent: Record<string, string> = {},
): Promise<string> {
  const request = { method, url: path, headers: sent }
  return why(await verifyResponse({ request, response: { status, headers, bytes: body }, keys, sentAt: new Date() }))
}

t.test('what is refused before any hook runs is bound where there is a request, and else signed by itself', async (t) => {
  const { app } = await serve(t, { config: { limits: { in_flight_per_connection: 2 } } })
  const connect = await listening(t, app)
  const nonce = { 'x-nonce': 'abcdefghijklmnop' }
  const line = `X-Nonce: ${nonce['x-nonce']}\r\n`
  for (const method of ['GET', 'HEAD']) {
    const many = await exchange(connect(), get('/docs?a', line, method).repeat(5), undefined, method)
    t.same(
      many.map(({ status }) => status),
      [200, 200, 503].map((status) => (status === 200 ? many[0]?.status : status)),
    )
    for (const reply of many) t.equal(await judge(reply, method, '/docs?a', nonce), 'accepted', `${method} ${reply.status}`)
    const [unknown] = await exchange(connect(), get('/x', `${line}Expect: a-miracle\r\n`, method), 1, method)
    t.same([unknown?.status, unknown && (await judge(unknown, method, '/x', nonce))], [417, 'accepted'])
  }
  const [chunk] = await exchange(connect(), `${get('/api/v1/apikeys?b', `${line}Transfer-Encoding: chunked\r\n`, 'POST')}zz\r\n`)
  t.same([chunk?.status, chunk && (await judge(chunk, 'POST', '/api/v1/apikeys?b', nonce))], [400, 'accepted'], 'its headers were read')
  const [absolute] = await exchange(connect(), get('http://svc.example/nowhere?a', line), 1)
  t.same([absolute?.status, absolute && (await judge(absolute, 'GET', '/nowhere?a', nonce))], [404, 'accepted'], 'as a proxy may write it')

  const [nothing] = await exchange(connect(), 'these are no headers\r\n\r\n')
  if (!nothing) return t.fail('an answer')
  t.equal(nothing.status, 400)
  t.equal(
    await judge(nothing, 'GET', '/'),
    'The signature does not cover "@method";req.',
    'no request was read that it could be an answer to',
  )
  t.match(
    nothing.headers['signature-input'],
    /^svc=\("@status" "content-digest" "content-type"\);created=\d+;alg="ed25519";keyid="[\w-]{43}";tag="svc-response-1"$/,
  )
})

t.test('the directory lists all keys, each by its thumbprint, and may be kept for 5 minutes', async (t) => {
  const { ask } = await caller(t)
  const { response, text } = await ask({ method: 'GET', path: '/.well-known/jwks.json' })
  t.equal(response.headers.get('content-type'), 'application/jwk-set+json')
  t.equal(response.headers.get('cache-control'), 'public, max-age=300, no-transform')
  t.strictSame(JSON.parse(text), { keys: [...keys, ...signer.keys] })
  t.match(keys, [{ kty: 'OKP', crv: 'Ed25519', x: /^[\w-]{43}$/, kid: signer.responses.keyId, use: 'sig', alg: 'Ed25519' }])
  t.match(signer.keys, [{ kty: 'RSA', alg: 'RS256', use: 'sig' }])
})

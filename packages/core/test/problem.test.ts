import { maxHeaderSize } from 'node:http'
import t from 'tap'
import { serve, signer } from './support/serve.ts'
import { exchange, get, isSigned, listening } from './support/wire.ts'

const PROBLEM = 'application/problem+json; charset=utf-8'
const NETWORKS = '/api/v1/paper/native/networks'

t.test('a refusal is a problem of RFC 9457 where Accept names it, and JSON else', async (t) => {
  const { call, key } = await serve(t)
  const own = { 'x-api-key': (await key()).value, 'x-network': '9' }
  const accepting = (accept?: string) => call('GET', 'networks', undefined, { ...own, ...(accept === undefined ? {} : { accept }) })
  const plain = await accepting()
  t.equal(plain.headers['content-type'], 'application/json; charset=utf-8')
  t.same(Object.keys(plain.json()), ['statusCode', 'message', 'error', 'code'])
  for (const accept of [
    'application/problem+json',
    'application/json, Application/Problem+JSON;q=0.5',
    'application/json;q=1.0 , application/problem+json',
  ]) {
    const problem = await accepting(accept)
    t.equal(problem.headers['content-type'], PROBLEM, accept)
    const { error, message } = plain.json()
    t.same(problem.json(), { type: 'about:blank', title: message, status: 400, detail: error, ...plain.json() }, accept)
  }
  for (const accept of ['*/*', 'application/*', 'application/json', 'application/problem+xml', 'application/problem+json;q=0', 'x'])
    t.same((await accepting(accept)).body, plain.body, accept)
})

t.test('what is no refusal is JSON, whatever Accept names', async (t) => {
  const { call, key } = await serve(t)
  const reply = await call('GET', 'networks', undefined, { 'x-api-key': (await key()).value, accept: 'application/problem+json' })
  t.same([reply.statusCode, reply.headers['content-type']], [200, 'application/json; charset=utf-8'])
})

t.test('refusals that no route makes are problems too, and every one is signed as it is sent', async (t) => {
  const { app } = await serve(t)
  const open = await listening(t, app)
  const accept = 'Accept: application/problem+json\r\n'
  const answers = {
    'no key': await exchange(open(), get(NETWORKS, accept), 1),
    'no path': await exchange(open(), get('/nowhere', accept), 1),
    'a path that is no percent-encoding': await exchange(open(), get('/%zz', accept), 1),
    'an unknown expectation': await exchange(open(), get(NETWORKS, `${accept}Expect: more\r\n`), 1),
  }
  for (const [name, [answer]] of Object.entries(answers)) {
    t.match(answer?.headers['content-type'], /^application\/problem\+json/, name)
    const problem = JSON.parse(String(answer?.body))
    t.match(problem, { type: 'about:blank', status: answer?.status, detail: problem.error, title: problem.message }, name)
    t.ok(answer && isSigned(answer, signer.publicKeyPem), `${name} is signed`)
  }
  // Of a request that could not be read nobody knows what it accepts.
  const [malformed] = await exchange(open(), get(NETWORKS, `${accept}X: ${'x'.repeat(maxHeaderSize)}\r\n`), 1)
  t.match([malformed?.status, malformed?.headers['content-type']], [431, 'application/json; charset=utf-8'])
})

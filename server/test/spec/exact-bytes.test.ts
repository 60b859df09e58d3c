import { membersOf } from '@svc/contract'
import t from 'tap'
import { operationsOf } from '../support/document.ts'
import { get, mint, service } from '../support/service.ts'

/** Headers that mean something on every route with a credential, whether the document names them there or not. */
const EVERYWHERE = ['x-network', 'x-identity', 'x-nonce', 'content-digest']
/** Calls of one credential before the next is made, below the limit of a minute. */
const CALLS = 100

const { json: document } = await get('/openapi.json', {})
const operations = operationsOf(document).filter(({ value }) => value.security.length > 0)

let calls = 0
let key = ''
let token = ''

/** Calls an operation with what the caller adds; path parameters are of no matter, since what comes in is judged before them. */
async function ask(
  { path, method, value }: (typeof operations)[number],
  { headers = {}, query = '' }: { headers?: Record<string, string>; query?: string } = {},
) {
  if (calls++ % CALLS === 0) {
    key = (await mint('key')).value
    token = (await mint('token')).value
  }
  const isManaged = value.security.some((scheme: object) => 'token' in scheme)
  const reply = await service.app.inject({
    method,
    url: path.replace('{protocol}', 'evm-three').replaceAll(/\{\w+\}/g, '1') + query,
    // A stranger's calls are counted by address.
    remoteAddress: `198.51.100.${Math.floor(calls / 50) % 250}`,
    headers: {
      ...(isManaged ? { token } : { 'x-api-key': key }),
      ...(value.requestBody ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(value.requestBody ? { payload: '{}' } : {}),
  })
  return { status: reply.statusCode, ...(membersOf(reply.body === '' ? {} : reply.json()) as { code?: string; error?: string }) }
}

const parametersOf = (operation: (typeof operations)[number], place: string): readonly any[] =>
  (operation.value.parameters ?? []).filter((parameter: any) => parameter.in === place)
const isNamed = (error: string | undefined, name: string) => error?.toLowerCase().startsWith(name.toLowerCase()) === true

t.test('a header or a parameter that is there and empty is refused on every route, and never taken as left out', async (t) => {
  t.ok(operations.length > 130, `${operations.length} operations`)
  const wrong: unknown[] = []
  for (const operation of operations) {
    const { method, path } = operation
    const headers = new Set([...EVERYWHERE, ...parametersOf(operation, 'header').map(({ name }) => name.toLowerCase())])
    for (const name of headers) {
      const reply = await ask(operation, { headers: { [name]: '' } })
      if (reply.status !== 400 || !isNamed(reply.error, name)) wrong.push([method, path, name, reply])
    }
    for (const { name } of parametersOf(operation, 'query')) {
      const reply = await ask(operation, { query: `?${name}=` })
      if (reply.status !== 400 || !isNamed(reply.error, name)) wrong.push([method, path, name, reply])
    }
    const isManaged = operation.value.security.some((scheme: object) => 'token' in scheme)
    const nameless = await ask(operation, { headers: { [isManaged ? 'token' : 'x-api-key']: '' } })
    if (nameless.status !== 401 || !/INVALID$/.test(nameless.code ?? '')) wrong.push([method, path, 'credential', nameless])
  }
  t.same(wrong, [])
})

t.test('X-NETWORK that names no network is refused on every route that has it', async (t) => {
  const having = operations.filter((operation) => parametersOf(operation, 'header').some(({ name }) => name === 'x-network'))
  t.ok(having.length > 120, `${having.length} operations`)
  const wrong: unknown[] = []
  for (const operation of having) {
    const reply = await ask(operation, { headers: { 'x-network': 'nonsense' } })
    if (reply.status !== 400 || reply.code !== 'NETWORK_NOT_ENABLED') wrong.push([operation.method, operation.path, reply])
  }
  t.same(wrong, [])
})

t.test('bytes that are no UTF-8, and codings of a body, are refused on every route', async (t) => {
  const wrong: unknown[] = []
  for (const operation of operations) {
    const { method, path } = operation
    const expect = async (what: string, status: number, code: string, asked: Parameters<typeof ask>[1]) => {
      const reply = await ask(operation, asked)
      if (reply.status !== status || reply.code !== code) wrong.push([method, path, what, reply])
    }
    await expect('identity', 400, 'REQUEST_INVALID', { headers: { 'x-identity': 'caf\xe9' } })
    for (const coding of ['gzip', 'br, identity', ''])
      await expect(`coding ${coding}`, 415, 'CONTENT_ENCODING_UNSUPPORTED', { headers: { 'content-encoding': coding } })
    for (const query of ['?a=%FF', '?%C3=a', '?a=%zz']) await expect(query, 400, 'URL_INVALID', { query })
  }
  t.same(wrong, [])
  const kept = await service.store.readAudit({ limit: 500 })
  t.same(
    kept.records.filter(({ identity }) => identity !== null),
    [],
    'and are kept nowhere',
  )
})

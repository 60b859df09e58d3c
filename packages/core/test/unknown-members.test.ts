import t from 'tap'
import { createCredential, NO_ACCOUNT } from '../src/index.ts'
import { peppers, serve } from './support/serve.ts'

/** Every operation of the document that wants a credential, as a call that names an object which is not there. */
async function operationsOf(t: import('tap').Test) {
  const served = await serve(t)
  const { value: operator } = await createCredential(served.store, peppers, served.clock.now, {
    kind: 'operator',
    account: NO_ACCOUNT,
    name: 'alice',
  })
  const { value: key } = await served.key()
  const { paths } = served.app.swagger() as { paths: Record<string, Record<string, any>> }
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const [security = {}] = operation.security ?? []
      if (Object.keys(security).length === 0) return []
      const headers: Record<string, string> = Object.hasOwn(security, 'token') ? { token: operator } : { 'x-api-key': key }
      const url = path.replace(/\{\w+\}/g, '01JD4Z0V9T6E6N1S2XKQ3B7W8R')
      return [{ name: `${method.toUpperCase()} ${path}`, method: method.toUpperCase(), url, headers, operation }]
    }),
  )
  return { ...served, operations }
}

t.test('no operation ignores a member of its query that it does not know', async (t) => {
  const { operations, call } = await operationsOf(t)
  t.ok(operations.length > 25, `${operations.length} operations`)
  for (const { name, method, url, headers, operation } of operations) {
    const body = operation.requestBody ? {} : undefined
    const reply = await call(method, `${url}?nonsense=1`, body, headers)
    const { code, error } = reply.json()
    t.same([reply.statusCode, code], [400, 'REQUEST_INVALID'], name)
    t.match(error, /^There is no member "nonsense" in this request; /, name)
    const [parameter] = (operation.parameters ?? []).filter((each: any) => each.in === 'query')
    if (!parameter) continue
    const misspelt = await call(method, `${url}?${parameter.name}x=1`, body, headers)
    t.match(misspelt.json().error, `did you mean ${parameter.name}?`, name)
  }
})

t.test('no operation ignores a body that it does not take, or a member of it that it does not know', async (t) => {
  const { operations, call } = await operationsOf(t)
  for (const { name, method, url, headers, operation } of operations) {
    if (method === 'GET') continue
    const schema = operation.requestBody?.content['application/json'].schema
    // What a craft answered is sent along to be prepared and broadcast, whole.
    if (schema?.additionalProperties === true || /\/action\/(prepare|broadcast)$/.test(url)) continue
    const reply = await call(method, url, { nonsense: 1 }, headers)
    // A protocol's own action may say 422 for a body that does not fit.
    t.match([reply.statusCode, reply.json().code], [/^4(00|22)$/, 'REQUEST_INVALID'], name)
    t.match(reply.json().error, /nonsense/, name)
  }
})

t.test('a wish in the body of what takes none is told where it belongs', async (t) => {
  const { operations, call } = await operationsOf(t)
  const rotation = operations.find(({ url }) => url.endsWith('/rotate'))
  t.ok(rotation)
  if (!rotation) return
  const { method, url, headers } = rotation
  const reply = await call(method, url, { overlap_hours: 0 }, headers)
  t.equal(reply.json().error, 'This takes no body, and the body has "overlap_hours"; overlap_hours goes into the query: ?overlap_hours=….')
  for (const harmless of [{}, null, undefined])
    t.not((await call(method, url, harmless, headers)).json().code, 'REQUEST_INVALID', JSON.stringify(harmless))
  for (const strange of [[1], 'text', 7])
    t.equal((await call(method, url, JSON.stringify(strange), headers)).statusCode, 400, JSON.stringify(strange))
})

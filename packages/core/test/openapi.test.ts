import t from 'tap'
import { serve } from './support/serve.ts'

t.test('the document describes what is served, and nothing outside /api/v1', async (t) => {
  const { call } = await serve(t)
  const reply = await call('GET', '/openapi.json', undefined, {})
  t.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
  const document = reply.json()
  t.match(document, { openapi: '3.1.0', info: { title: 'Staking Transaction Service', version: '1.2.3' } })
  const P = '/api/v1/paper/native'
  t.same(
    Object.keys(document.paths).toSorted(),
    [
      '/api/v1/apikeys',
      '/api/v1/apikeys/{ulid}',
      '/api/v1/health',
      `${P}/action/broadcast`,
      `${P}/action/cheat`,
      `${P}/action/fail`,
      `${P}/action/give`,
      `${P}/action/prepare`,
      `${P}/action/strict`,
      `${P}/clerk`,
      `${P}/networks`,
      `${P}/staking-balance/{address}`,
      `${P}/staking-info`,
      '/api/v1/public-key',
    ].toSorted(),
  )
})

t.test('each operation names the credential that it wants', async (t) => {
  const { call } = await serve(t)
  const { paths, components } = (await call('GET', '/openapi.json', undefined, {})).json()
  t.match(components.securitySchemes, {
    apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
    token: { type: 'apiKey', in: 'header', name: 'token' },
    bearer: { type: 'http', scheme: 'bearer' },
  })
  for (const [path, item] of Object.entries<Record<string, any>>(paths))
    for (const [method, { security, tags }] of Object.entries(item)) {
      const wanted = path.startsWith('/api/v1/paper')
        ? [{ apiKey: [] }]
        : path.startsWith('/api/v1/apikeys')
          ? [{ token: [] }, { bearer: [] }]
          : []
      t.same(security, wanted, `${method} ${path}`)
      t.equal(tags.length, 1)
    }
})

t.test('an amount is described as a number, and its string form in words', async (t) => {
  const { call } = await serve(t)
  const { paths } = (await call('GET', '/openapi.json', undefined, {})).json()
  const schema = paths['/api/v1/paper/native/action/give'].post.requestBody.content['application/json'].schema
  t.match(schema, {
    additionalProperties: false,
    required: ['address', 'amount'],
    properties: { amount: { type: 'number', exclusiveMinimum: 0, description: /string is accepted too/ } },
  })
  t.ok(paths['/api/v1/paper/native/action/strict'].post.responses['422'])
  t.notOk(paths['/api/v1/paper/native/action/give'].post.responses['422'])
})

t.test('X-NETWORK and X-IDENTITY are described on every protocol operation, and wanted on none', async (t) => {
  const { call } = await serve(t)
  const { paths } = (await call('GET', '/openapi.json', undefined, {})).json()
  for (const [path, item] of Object.entries<Record<string, any>>(paths)) {
    if (!path.startsWith('/api/v1/paper')) continue
    for (const operation of Object.values(item)) {
      const headers = (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === 'header')
      t.same(
        headers.map(({ name, required }: any) => [name.toLowerCase(), required === true]).toSorted(),
        [
          ['x-identity', false],
          ['x-network', false],
        ],
        path,
      )
    }
  }
})

t.test('the console is served from here alone', async (t) => {
  const { call } = await serve(t)
  const page = await call('GET', '/docs', undefined, {})
  t.match([page.statusCode, page.headers['content-type']], [200, /text\/html/])
  t.ok(page.headers['content-security-policy'])
  t.notMatch(page.body, /(src|href)="(https?:)?\/\//)
})

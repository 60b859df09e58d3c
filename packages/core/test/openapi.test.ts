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
      '/.well-known/jwks.json',
      '/api/v1/apikeys',
      '/api/v1/apikeys/{ulid}',
      '/api/v1/health',
      `${P}/action/broadcast`,
      `${P}/action/cheat`,
      `${P}/action/fail`,
      `${P}/action/give`,
      `${P}/action/prepare`,
      `${P}/action/strict`,
      `${P}/alarms`,
      `${P}/clerk`,
      `${P}/networks`,
      `${P}/operations/{address}`,
      `${P}/rewards/{address}`,
      `${P}/staking-balance/{address}`,
      `${P}/staking-info`,
      '/api/v1/public-key',
      '/api/v1/public-keys',
      '/api/v1/alarms',
      '/api/v1/announcements',
      '/api/v1/announcements/{protocol}/{address}/{aspect}',
      '/api/v1/audit',
      '/api/v1/audit/export',
      '/api/v1/overview',
      '/api/v1/own-addresses',
      '/api/v1/own-addresses/{protocol}/{address}',
      '/api/v1/positions',
      '/api/v1/positions/{protocol}/{network}/{address}',
      '/api/v1/protocols',
      '/api/v1/session',
      '/api/v1/statements',
      '/api/v1/transactions',
      '/api/v1/transactions/{tx_hash}',
      '/api/v1/watch',
      '/api/v1/watch/{protocol}/{address}',
      '/api/v1/events',
      '/api/v1/events/{id}/dismiss',
      '/api/v1/webhooks',
      '/api/v1/webhooks/{ulid}',
      ...['rotate', 'test', 'deliveries', 'deliveries/{id}/resend', 'replay'].map((path) => `/api/v1/webhooks/{ulid}/${path}`),
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
      const wanted = /^\/api\/v1\/(paper|watch)/.test(path)
        ? [{ apiKey: [] }]
        : /^\/api\/v1\/(alarms|announcements|apikeys|audit|events|overview|own-addresses|positions|protocols|session|statements|transactions|webhooks)/.test(
              path,
            )
          ? [{ token: [] }, { bearer: [] }]
          : []
      t.same(security, wanted, `${method} ${path}`)
      t.equal(tags.length, 1)
    }
})

t.test('an amount may be sent as a number or as a decimal text', async (t) => {
  const { call } = await serve(t)
  const { paths } = (await call('GET', '/openapi.json', undefined, {})).json()
  const schema = paths['/api/v1/paper/native/action/give'].post.requestBody.content['application/json'].schema
  t.match(schema, {
    additionalProperties: false,
    required: ['address', 'amount'],
    properties: { amount: { type: ['number', 'string'], exclusiveMinimum: 0, pattern: /^\^\[0-9\]/, description: /as a string/ } },
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

t.test('the console is served from here alone, by plain http as well as by https', async (t) => {
  const { call } = await serve(t)
  const page = await call('GET', '/docs', undefined, {})
  t.match([page.statusCode, page.headers['content-type']], [200, /text\/html/])
  const policy = String(page.headers['content-security-policy'])
  t.match(policy, /default-src 'none'/)
  t.notMatch(policy, /upgrade-insecure-requests|https?:/, 'which would ask for its files by https on any host but localhost')
  t.notMatch(page.body, /(src|href)="(https?:)?\/\//)
  t.match(page.body, /<meta name="viewport" content="width=device-width, initial-scale=1">/)
  const files = [...page.body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1]!)
  t.ok(files.length >= 5)
  for (const file of files) {
    const { statusCode, headers } = await call('GET', file, undefined, {})
    t.equal(statusCode, 200, file)
    const expected = { css: 'text/css', js: 'text/javascript', png: 'image/png', json: 'application/json' }[file.split('.').at(-1)!]
    t.match(headers['content-type'], new RegExp(`^${expected}`), file)
  }
})

t.test('the console loads one document, from the one place where it is served', async (t) => {
  const { call } = await serve(t)
  const script = (await call('GET', '/docs/static/console.js', undefined, {})).body
  t.match(script, /url: '\/openapi\.json'/)
  for (const other of ['json', 'yaml', 'static/swagger-initializer.js', 'static/..%2fpackage.json', 'static/%00'])
    t.equal((await call('GET', `/docs/${other}`, undefined, {})).statusCode, 404, other)
})

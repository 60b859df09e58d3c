import { definePlugin } from '@svc/testing/paper-protocol'
import t from 'tap'
import { declaration } from './support/paper-plugin.ts'
import { input, serve } from './support/serve.ts'

const body = { address: 'p001', amount: 1 }

t.test(
  'a route of a plugin that is not described, or could hand out a transaction unchecked, keeps the server from starting',
  async (t) => {
    const response = { 200: { type: 'object', description: 'Anything.' } }
    const starting = (routes: NonNullable<Parameters<typeof definePlugin>[0]['routes']>) =>
      serve(t, { plugins: [definePlugin({ ...declaration, routes })] })
    const refused = (routes: Parameters<typeof starting>[0], message: RegExp) =>
      t.rejects(starting(routes), { name: 'SettingsError', message })
    await refused((app) => void app.get('/more', async () => ({})), /@svc\/plugin-paper: the route GET .*\/more has no response schema/)
    await refused((app) => void app.get('/more', { schema: { response } }, async () => ({})), /has no summary/)
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      await refused(
        (app) => void app.route({ method, url: '/more', schema: { summary: 's', response }, handler: async () => ({}) }),
        new RegExp(`the route ${method} .*is not a GET`),
      )
    await refused(
      (app) => void app.route({ method: ['GET', 'POST'], url: '/more', schema: { summary: 's', response }, handler: async () => ({}) }),
      /is not a GET/,
    )
    await refused(
      (app) => void app.register(async (inner) => void inner.post('/deep', { schema: { summary: 's', response } }, async () => ({}))),
      /deep is not a GET/,
    )
    for (const config of [{ credential: 'none' }, { credential: 'token' }, { limited: false }, { limited: 'console' }] as const)
      await refused(
        (app) => void app.get('/more', { config, schema: { summary: 's', response } }, async () => ({})),
        /would escape the key or the limit/,
      )
    await t.resolves(starting((app) => void app.get('/more', { schema: { summary: 's', response } }, async () => ({}))))
  },
)

t.test('a plugin cannot leave its place: its own routes want the key and are limited like all others', async (t) => {
  const { call } = await serve(t)
  t.equal((await call('GET', 'clerk', undefined, {})).statusCode, 401)
  t.match((await call('GET', 'clerk')).headers, { 'x-ratelimit-limit': '200' })
})

t.test('a plugin that adds a schema of its own changes nothing about how bodies are read and answers are written', async (t) => {
  const { call } = await serve(t, {
    plugins: [
      definePlugin({
        ...declaration,
        routes(app) {
          app.addSchema({ $id: 'Own', type: 'object', description: 'Its own.' })
          const number = { type: 'object', description: 'A number.', properties: { value: { type: 'number' } } }
          app.get('/own', { schema: { summary: 'A null', response: { 200: number } } }, async () => ({ value: null, more: 1 }))
        },
      }),
    ],
  })
  t.match((await call('POST', 'action/give', { ...body, copies: '1' })).json(), {
    statusCode: 400,
    error: 'copies is "1"; it must be a whole number.',
  })
  t.match((await call('POST', 'action/give', { ...body, more: 1 })).json(), { statusCode: 400, error: /no member "more"/ })
  t.match((await call('POST', 'action/give', '{"address":"p001","amount":1e-18}')).json(), { unsigned_text: /\|1$/ })
  t.equal((await call('GET', 'own')).body, '{"value":null,"more":1}')
  t.match((await call('GET', 'staking-balance/p001')).body, /100\.000000000000000001/)
})

t.test('a plugin reaches the endpoint groups that its network has besides the chain, and knows which it has not', async (t) => {
  const plugins = structuredClone(input.plugins) as any
  plugins['@svc/plugin-paper'].networks[1].endpoints.index = ['http://index.invalid/names']
  const asked: string[] = []
  const routes: NonNullable<Parameters<typeof definePlugin>[0]['routes']> = (app, use) =>
    void app.get('/names', { schema: { summary: 'Names', response: { 200: { description: 'Names.' } } } }, async (request) => {
      const send = use(request).upstream('index')?.fetch
      return { missing: use(request).upstream('archive') === null, name: send && (await (await send('http://any.invalid/first')).text()) }
    })
  const { call } = await serve(t, {
    config: { plugins },
    plugins: [definePlugin({ ...declaration, routes, groups: { index: async () => undefined, archive: async () => undefined } })],
    fetch: (async (address: string) => {
      asked.push(address)
      return new Response('Ada')
    }) as typeof fetch,
  })
  t.same((await call('GET', 'names')).json(), { missing: true, name: 'Ada' })
  t.ok(asked.includes('http://index.invalid/names/first'))
  t.match((await call('GET', 'names', undefined, { 'x-api-key': 'other' })).statusCode, 401)
})

t.test('settings that a plugin does not know stop the start with their place', async (t) => {
  const plugins = structuredClone(input.plugins) as any
  plugins['@svc/plugin-paper'].networks[1].clrk = 'p001'
  await t.rejects(serve(t, { config: { plugins } }), {
    message: /^plugins\.@svc\/plugin-paper\.networks\.1\.clrk: there is no such setting\. Known here: ink, clerk, max_fee/,
  })
  const groups = structuredClone(input.plugins) as any
  groups['@svc/plugin-paper'].networks[1].endpoints = { rpc: ['http://x.invalid'] }
  await t.rejects(serve(t, { config: { plugins: groups } }), {
    message: /networks\.1\.endpoints\.rpc: there is no such group of endpoints/,
  })
  groups['@svc/plugin-paper'].networks[1].endpoints = {}
  await t.rejects(serve(t, { config: { plugins: groups } }), { message: /networks\.1\.endpoints\.desk is missing/ })
})

import { definePlugin } from '@svc/testing/paper-protocol'
import t from 'tap'
import { Type } from 'typebox'
import { declaration } from './support/paper-plugin.ts'
import { input, serve } from './support/serve.ts'

const body = { address: 'p001', amount: 1 }

t.test('a read of a plugin that is not described keeps the server from starting', async (t) => {
  const response = { 200: Type.Object({}, { description: 'Anything.' }) }
  const starting = (schema: object) =>
    serve(t, {
      plugins: [definePlugin({ ...declaration, routes: (reads) => reads.get('/more', schema as never, async () => ({})) })],
    })
  const refused = (schema: object, message: RegExp) => t.rejects(starting(schema), { name: 'SettingsError', message })
  await refused({}, /@svc\/plugin-paper: the route GET .*\/more has no response schema/)
  await refused({ response }, /has no summary/)
  await t.resolves(starting({ summary: 's', response }))
})

t.test('a plugin that breaks while its routes are registered is named', async (t) => {
  const routes = () => {
    throw new TypeError('no such thing')
  }
  await t.rejects(serve(t, { plugins: [definePlugin({ ...declaration, routes })] }), {
    name: 'SettingsError',
    message: 'plugins.@svc/plugin-paper: its routes could not be registered: TypeError: no such thing',
  })
})

t.test('a plugin cannot leave its place: its own routes want the key and are limited like all others', async (t) => {
  const { call } = await serve(t)
  t.equal((await call('GET', 'clerk', undefined, {})).statusCode, 401)
  t.match((await call('GET', 'clerk')).headers, { 'x-ratelimit-limit': '200' })
})

t.test('a read takes nothing along with its schema: no hook, no other key, no way around the limit', async (t) => {
  const smuggled = { hide: true, config: { credential: 'none', limited: false }, onSend: 1, preHandler: 1, security: [] }
  const number = Type.Object({ value: Type.Number() }, { description: 'A number.' })
  const { call } = await serve(t, {
    plugins: [
      definePlugin({
        ...declaration,
        routes: (reads) =>
          reads.get('/own', { summary: 'A null', response: { 200: number }, ...smuggled }, async () => ({ value: null, more: 1 })),
      }),
    ],
  })
  t.equal((await call('GET', 'own', undefined, {})).statusCode, 401)
  t.match(await call('GET', 'own'), { body: '{"value":null,"more":1}', headers: { 'x-ratelimit-limit': '200' } })
  t.same((await call('GET', '/openapi.json', undefined, {})).json().paths['/api/v1/paper/native/own'].get.security, [{ apiKey: [] }])
})

t.test('bodies are read as they came, and answers written as they are', async (t) => {
  const { call } = await serve(t)
  t.match((await call('POST', 'action/give', { ...body, copies: '1' })).json(), {
    statusCode: 400,
    error: 'copies is "1"; it must be a whole number.',
  })
  t.match((await call('POST', 'action/give', { ...body, more: 1 })).json(), { statusCode: 400, error: /no member "more"/ })
  t.match((await call('POST', 'action/give', '{"address":"p001","amount":1e-18}')).json(), { unsigned_text: /\|1$/ })
  t.match((await call('GET', 'staking-balance/p001')).body, /100\.000000000000000001/)
})

t.test('a plugin reaches the endpoint groups that its network has besides the chain, and knows which it has not', async (t) => {
  const plugins = structuredClone(input.plugins) as any
  plugins['@svc/plugin-paper'].networks[1].endpoints.index = ['http://index.invalid/names']
  const asked: string[] = []
  const routes: NonNullable<Parameters<typeof definePlugin>[0]['routes']> = (reads) =>
    reads.get('/names', { summary: 'Names', response: { 200: Type.Object({}, { description: 'Names.' }) } }, async (ctx) => {
      const send = ctx.upstream('index')?.fetch
      return { missing: ctx.upstream('archive') === null, name: send && (await (await send('http://any.invalid/first')).text()) }
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

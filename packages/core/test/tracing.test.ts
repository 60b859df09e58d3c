import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import * as conventions from '@opentelemetry/semantic-conventions'
import { desk, memoryLog } from '@svc/testing/paper'
import t from 'tap'
import { createTracing, loadTracing } from '../src/base/opentelemetry.ts'
import type { RequestSpan } from '../src/base/tracing.ts'
import { claimLease } from '../src/db/leases.ts'
import { traceStore } from '../src/db/traced-store.ts'
import { createSharedBudget } from '../src/limit/redis.ts'
import { createLocalBudget } from '../src/limit/store.ts'
import { createRpc } from '../src/rpc/rpc.ts'
import { onBoth } from './support/databases.ts'
import { serve } from './support/serve.ts'

await t.test('without an SDK nothing is traced', async (t) => t.equal(await loadTracing('1'), undefined))

const exporter = new InMemorySpanExporter()
api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
api.propagation.setGlobalPropagator(new W3CTraceContextPropagator())
api.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }))
const tracing = createTracing(api, '1.2.3')

t.beforeEach(() => exporter.reset())

/** Names that the conventions have and promise to keep, and those of this service. */
const NAMES = new Set(Object.entries(conventions).flatMap(([name, value]) => (name.startsWith('ATTR_') ? [value] : [])))
const isKnown = (name: string) => NAMES.has(name) || name.startsWith('svc.')

/** What the conventions require of each kind of span. */
const REQUIRED = {
  server: ['http.request.method', 'url.path', 'url.scheme', 'http.response.status_code'],
  http: ['http.request.method', 'server.address', 'server.port', 'url.full'],
  db: ['db.system.name'],
}

const spans = () => exporter.getFinishedSpans()
const onlyOne = (kind: api.SpanKind): ReadableSpan => {
  const [span, ...rest] = spans().filter((each) => each.kind === kind)
  if (!span || rest.length > 0) throw new Error(`${rest.length + (span ? 1 : 0)} spans of kind ${kind}`)
  return span
}
const below = (span: ReadableSpan) => spans().filter(({ parentSpanContext }) => parentSpanContext?.spanId === span.spanContext().spanId)

t.test('an SDK that is registered is found', async (t) => t.ok(await loadTracing('1')))

t.test(
  'a craft is a span with its calls to the database and to the endpoint below it, and none holds what is nobody’s business',
  async (t) => {
    const { app, key, log, records } = await serve(t, { tracing, store: (real) => traceStore(real, tracing) })
    const { value } = await key()
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/paper/native/action/give?x=secret',
      headers: { 'x-api-key': value, 'content-type': 'application/json', 'user-agent': 'wallet of p001' },
      payload: JSON.stringify({ address: 'p001', amount: 1 }),
    })
    t.equal(answer.statusCode, 400, 'the query is refused')
    exporter.reset()
    const crafted = await app.inject({
      method: 'POST',
      url: '/api/v1/paper/native/action/give',
      headers: { 'x-api-key': value, 'content-type': 'application/json', 'user-agent': 'wallet of p001' },
      payload: JSON.stringify({ address: 'p001', amount: 1 }),
    })
    t.equal(crafted.statusCode, 200)
    await records(1)
    const request = onlyOne(api.SpanKind.SERVER)
    t.match(request, {
      name: 'POST /api/v1/paper/native/action/give',
      status: { code: api.SpanStatusCode.UNSET },
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/paper/native/action/give',
        'url.path': '/api/v1/paper/native/action/give',
        'url.scheme': 'http',
        'http.response.status_code': 200,
        'network.protocol.version': '1.1',
        'svc.account': 'acme',
        'svc.request.id': crafted.headers['x-request-id'],
      },
    })
    const children = below(request)
    t.match(
      children.filter(({ name }) => name === 'GET' || name === 'POST').map(({ attributes }) => attributes),
      Array(2).fill({
        'server.address': 'desk.invalid',
        'server.port': 80,
        'url.full': 'http://desk.invalid/',
        'svc.upstream.endpoint': 1,
      }),
    )
    t.ok(children.some(({ name }) => name === 'INSERT svc_audit'))
    t.match(
      log.find(({ msg, status }) => msg === 'answered' && status === 200),
      { trace_id: request.spanContext().traceId },
    )
    const wrong = spans().flatMap(({ attributes }) => Object.keys(attributes).filter((name) => !isKnown(name)))
    t.same(wrong, [], 'every name is of the conventions or of this service')
    for (const { kind, attributes, name } of spans()) {
      const required = kind === api.SpanKind.SERVER ? REQUIRED.server : 'db.system.name' in attributes ? REQUIRED.db : REQUIRED.http
      t.same(
        required.filter((each) => !(each in attributes)),
        [],
        name,
      )
    }
    t.notMatch(JSON.stringify(spans().map(({ name, attributes }) => [name, attributes])), /p001|p002|secret|serial|svc_[a-z]+_[0-9A-Z]{26}/)
  },
)

t.test('a refusal is no error, a failure is one; an unknown path is named by nobody', async (t) => {
  const failing = desk({ serial: new TypeError('fetch failed') })
  const { call } = await serve(t, { tracing, fetch: failing })
  t.equal((await call('POST', 'action/give', { address: 'q', amount: 1 })).statusCode, 400)
  t.match(onlyOne(api.SpanKind.SERVER), { status: { code: api.SpanStatusCode.UNSET }, attributes: { 'error.type': undefined } })
  exporter.reset()
  t.equal((await call('POST', 'action/give', { address: 'p001', amount: 1 })).statusCode, 502)
  const failed = onlyOne(api.SpanKind.SERVER)
  t.match(failed, { status: { code: api.SpanStatusCode.ERROR }, attributes: { 'error.type': '502', 'http.response.status_code': 502 } })
  t.match(
    below(failed).filter(({ name }) => name !== 'INSERT svc_audit'),
    [{ status: { code: api.SpanStatusCode.ERROR }, attributes: { 'error.type': 'TypeError', 'http.response.status_code': undefined } }],
  )
  exporter.reset()
  t.equal((await call('GET', '/wp-login.php')).statusCode, 404)
  t.match(onlyOne(api.SpanKind.SERVER), {
    name: 'GET',
    attributes: { 'url.path': 'unknown', 'http.route': undefined, 'error.type': undefined },
  })
})

t.test('the trace of a stranger is linked, that of an own proxy continued', async (t) => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
  const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
  const strict = await serve(t, { tracing })
  await strict.app.inject({ url: '/api/v1/health', headers })
  const own = onlyOne(api.SpanKind.SERVER)
  t.not(own.spanContext().traceId, traceId)
  t.equal(own.parentSpanContext, undefined)
  t.match(own.links, [{ context: { traceId, spanId: '00f067aa0ba902b7' } }])
  exporter.reset()
  await strict.app.inject({ url: '/api/v1/health' })
  t.same(onlyOne(api.SpanKind.SERVER).links, [])
  exporter.reset()
  const behind = await serve(t, { tracing, config: { trusted_proxies: ['10.0.0.1'] } })
  await behind.app.inject({ url: '/api/v1/health', headers: { ...headers, 'x-forwarded-for': '10.0.0.1' }, remoteAddress: '10.0.0.2' })
  t.not(onlyOne(api.SpanKind.SERVER).spanContext().traceId, traceId, 'what a stranger says of a proxy is nothing')
  exporter.reset()
  await behind.app.inject({ url: '/api/v1/health', headers, remoteAddress: '10.0.0.1' })
  const continued = onlyOne(api.SpanKind.SERVER)
  t.equal(continued.spanContext().traceId, traceId)
  t.match(continued.parentSpanContext, { spanId: '00f067aa0ba902b7' })
  t.same(continued.links, [])
})

/** Runs something below a request's span. */
async function withinRequest<T>(work: () => Promise<T>): Promise<T> {
  const request = tracing.openRequest('GET', { 'http.request.method': 'GET' }, {}, false)
  try {
    return await inside(request, work)
  } finally {
    request.end()
    request.end({ error: 'twice' })
  }
}
const inside = <T>(request: RequestSpan, work: () => Promise<T>) =>
  new Promise<T>((resolve, reject) => request.within(() => void work().then(resolve, reject)))

t.test('each attempt at an endpoint is a span, with its number, its status, and why it failed', async (t) => {
  const answers: number[] = []
  const server = createServer((_request, response) => {
    const status = answers.shift()
    if (status === undefined) return
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.closeAllConnections())
  t.teardown(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const rpc = createRpc({
    ...{ name: 'desk', endpoints: [{ url: `${url}/key-of-acme` }, { url: `${url}/v2?key=hidden` }], log: memoryLog(), tracing },
  })
  t.teardown(() => rpc.close())
  const post = () => rpc.fetch('http://desk/p001', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  answers.push(500, 200)
  t.equal((await withinRequest(post)).status, 200)
  const clients = () => spans().filter(({ kind }) => kind === api.SpanKind.CLIENT)
  t.match(clients(), [
    {
      name: 'POST',
      status: { code: api.SpanStatusCode.ERROR },
      attributes: {
        'svc.upstream.endpoint': 1,
        'http.response.status_code': 500,
        'error.type': '500',
        'http.request.resend_count': undefined,
      },
    },
    {
      status: { code: api.SpanStatusCode.UNSET },
      attributes: { 'svc.upstream.endpoint': 2, 'http.response.status_code': 200, 'http.request.resend_count': 1, 'error.type': undefined },
    },
  ])
  for (const { attributes } of clients()) t.equal(attributes['url.full'], `${url}/`)
  exporter.reset()
  answers.push(404)
  const one = { name: 'desk', endpoints: [{ url }], log: memoryLog(), tracing }
  const missing = createRpc(one)
  const hasty = createRpc({ ...one, timeoutMs: 200 })
  t.teardown(() => Promise.all([missing.close(), hasty.close()]))
  t.equal((await withinRequest(() => missing.fetch('http://desk/'))).status, 404)
  t.match(clients(), [{ attributes: { 'error.type': '404' }, status: { code: api.SpanStatusCode.ERROR } }], 'of a client it is an error')
  exporter.reset()
  await t.rejects(withinRequest(() => hasty.fetch('http://desk/')))
  t.match(clients(), [{ attributes: { 'error.type': 'timeout', 'http.response.status_code': undefined } }])
  exporter.reset()
  answers.push(200)
  await missing.fetch('http://desk/')
  t.same(spans(), [], 'a round of the service’s own has no span')
})

t.test('what a request started and its end has passed is traced no more', async (t) => {
  const request = tracing.openRequest('GET', {}, {}, false)
  const late = await new Promise<() => unknown>((done) =>
    request.within(() => done(api.context.bind(api.context.active(), () => tracing.openCall(() => ({ name: 'late', attributes: {} }))))),
  )
  t.ok(late())
  request.end()
  t.equal(late(), null)
})

t.test('a long value is cut', async (t) => {
  await withinRequest(async () => tracing.openCall(() => ({ name: 'long', attributes: { 'svc.upstream': 'x'.repeat(257) } }))?.end())
  t.equal(spans().find(({ name }) => name === 'long')?.attributes['svc.upstream'], 'x'.repeat(256))
})

t.test('statements of a work are spans: the operation and the table', async (t) => {
  await onBoth(t, async (t, real) => {
    exporter.reset()
    const store = traceStore(real, tracing)
    const system = store.dialect === 'postgres' ? 'postgresql' : 'sqlite'
    await withinRequest(() => store.transact((database) => claimLease(database, 'stream of p001', 'me', 1000)))
    await withinRequest(() => store.readRecord('place', 'key'))
    const calls = () => spans().filter(({ kind }) => kind === api.SpanKind.CLIENT)
    t.match(calls(), [
      {
        name: 'INSERT svc_leases',
        attributes: { 'db.system.name': system, 'db.operation.name': 'INSERT', 'db.collection.name': 'svc_leases' },
      },
      { name: 'SELECT svc_records', attributes: { 'db.operation.name': 'SELECT', 'db.collection.name': 'svc_records' } },
    ])
    exporter.reset()
    await t.rejects(withinRequest(() => store.run((database) => claimLease(database, null as unknown as string, 'me', 1000))))
    t.match(calls(), [{ name: 'INSERT svc_leases', status: { code: api.SpanStatusCode.ERROR } }])
    t.ok(calls()[0]?.attributes['error.type'])
    t.notMatch(JSON.stringify(calls().map(({ attributes }) => attributes)), /p001/)
    exporter.reset()
    await store.readRecord('place', 'key')
    t.same(spans(), [], 'no request, no span')
  })
})

t.test('a question to Redis is a span', async (t) => {
  const redis = { on: () => redis, defineCommand: () => undefined, svcTake: async () => [1, 1000] }
  const log = { warn: () => undefined, info: () => undefined }
  const budget = createSharedBudget({ redis: redis as never, tracing, local: createLocalBudget(), log })
  await withinRequest(async () => budget.take('k:secret', 3))
  t.match(
    spans().filter(({ kind }) => kind === api.SpanKind.CLIENT),
    [{ name: 'EVALSHA', attributes: { 'db.system.name': 'redis', 'db.operation.name': 'EVALSHA' } }],
  )
  t.notMatch(JSON.stringify(spans().map(({ attributes }) => attributes)), /secret/)
})

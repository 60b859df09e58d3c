import Fastify from 'fastify'
import t from 'tap'
import { registerHealth } from '../src/health.ts'
import { openStore } from '../src/index.ts'
import { memoryLog } from './db/samples.ts'
import { serve } from './support/serve.ts'

const DOWN = {
  status: 'error',
  info: {},
  error: { database: { status: 'down', message: 'The database does not answer.' } },
  details: { database: { status: 'down', message: 'The database does not answer.' } },
}

t.test('health is 200 with a report while the database answers, without a key', async (t) => {
  const { call } = await serve(t)
  const reply = await call('GET', '/api/v1/health', undefined, {})
  t.equal(reply.statusCode, 200)
  t.same(reply.json(), { status: 'ok', info: { database: { status: 'up' } }, error: {}, details: { database: { status: 'up' } } })
})

t.test('a wrong key does not matter to health', async (t) => {
  const { call } = await serve(t)
  t.equal((await call('GET', '/api/v1/health', undefined, { 'x-api-key': 'wrong' })).statusCode, 200)
})

t.test('while the database does not answer health is 503 with a report, and hides the reason', async (t) => {
  let away = true
  const { call, log } = await serve(t, {
    store: (real) => ({
      ...real,
      ping: async () => {
        if (away) throw new Error('no route to postgres://secret')
      },
    }),
  })
  const reply = await call('GET', '/api/v1/health', undefined, {})
  t.same([reply.statusCode, reply.json()], [503, DOWN])
  t.equal(reply.headers['retry-after'], '5')
  t.ok(log.some(({ msg, err }) => msg === 'the database does not answer' && err))
  away = false
  t.equal((await call('GET', '/api/v1/health', undefined, {})).statusCode, 200, 'and it is asked again each time')
})

t.test('a database that was closed is down', async (t) => {
  const store = await openStore({ dataDir: ':memory:', log: memoryLog() })
  const app = Fastify()
  registerHealth(app, store)
  t.equal((await app.inject('/health')).statusCode, 200)
  await store.close()
  const reply = await app.inject('/health')
  t.same([reply.statusCode, reply.json()], [503, DOWN])
  await app.close()
})

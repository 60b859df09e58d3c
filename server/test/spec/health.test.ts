import t from 'tap'
import { call, get, stranger } from '../support/service.ts'
import { HEALTH, hasShape } from '../support/shape.ts'

t.test('health needs no key and no body, and answers a health report', async (t) => {
  const { status, json } = await get('/api/v1/health', stranger)
  t.equal(status, 200)
  hasShape(t, json, HEALTH, 'the report')
})

t.test('while the API and its database are healthy its status is ok, and its details list a database that is up', async (t) => {
  const { json } = await get('/api/v1/health', stranger)
  t.match(json, { status: 'ok', info: { database: { status: 'up' } }, details: { database: { status: 'up' }, audit: { status: 'up' } } })
  t.same(json.error, {})
})

t.test('a key that is wrong does not matter to health', async (t) => {
  t.equal((await get('/api/v1/health', { 'x-api-key': 'wrong' })).status, 200)
})

t.test('health is not counted by any limit', async (t) => {
  const { headers } = await get('/api/v1/health', stranger)
  t.notOk(headers.has('x-ratelimit-limit'))
  t.equal((await call('HEAD', '/api/v1/health', undefined, stranger)).status, 200)
})

import t from 'tap'
import { call, get, manager, mint, stranger } from '../support/service.ts'
import { hasShape, KEY } from '../support/shape.ts'

const URL = '/api/v1/apikeys'
const create = (body: object) => call('POST', URL, body, manager)

t.test('creating a key is 201 with the record and its value', async (t) => {
  const { status, json } = await create({ name: 'spec', description: 'for a test', expirationDate: '2099-01-01T00:00:00Z' })
  t.equal(status, 201)
  hasShape(t, json, { ...KEY, key: 'string' }, 'the created key')
  t.match(json, {
    ulid: /^[0-9A-HJKMNP-TV-Z]{26}$/,
    name: 'spec',
    description: 'for a test',
    expirationDate: '2099-01-01T00:00:00.000Z',
    active: true,
  })
  t.equal((await get('networks', { 'x-api-key': json.key })).status, 200)
})

t.test('the list is an array of records without values', async (t) => {
  const { json: made } = await create({ name: 'listed' })
  const { status, json, text } = await get(URL, manager)
  t.equal(status, 200)
  for (const record of json) hasShape(t, record, KEY, 'a record')
  t.ok(json.some(({ ulid }: { ulid: string }) => ulid === made.ulid))
  t.notOk(text.includes(made.key))
})

t.test('one key is read by its ulid', async (t) => {
  const { json: made } = await create({ name: 'read' })
  const { status, json } = await get(`${URL}/${made.ulid}`, manager)
  t.equal(status, 200)
  hasShape(t, json, KEY, 'the record')
  t.match(json, { ulid: made.ulid, name: 'read' })
})

t.test('PATCH changes name, description, expirationDate and the flag, and answers an array of records', async (t) => {
  const { json: made } = await create({ name: 'before' })
  const change = { name: 'after', description: 'changed', expirationDate: '2099-06-01T00:00:00.000Z', active: false }
  const { status, json } = await call('PATCH', `${URL}/${made.ulid}`, change, manager)
  t.equal(status, 200)
  t.ok(Array.isArray(json))
  for (const record of json) hasShape(t, record, KEY, 'a record')
  t.match(
    json.find(({ ulid }: { ulid: string }) => ulid === made.ulid),
    change,
  )
  t.match((await get(`${URL}/${made.ulid}`, manager)).json, change)
})

t.test('DELETE is 200 without a body', async (t) => {
  const { json: made } = await create({ name: 'gone' })
  const { status, text } = await call('DELETE', `${URL}/${made.ulid}`, undefined, manager)
  t.same([status, text], [200, ''])
  t.equal((await get(`${URL}/${made.ulid}`, manager)).status, 404)
})

t.test('a ulid without a record is 404', async (t) => {
  const nobodys = '01JD4Z0V9T6E6N1S2XKQ3B7W8S'
  const anothers = (await mint('key', { account: 'another' })).ulid
  for (const ulid of [nobodys, anothers, 'x']) {
    t.match(await get(`${URL}/${ulid}`, manager), { status: 404, json: { statusCode: 404, message: 'Not Found', code: 'KEY_NOT_FOUND' } })
    t.match(await call('PATCH', `${URL}/${ulid}`, { name: 'x' }, manager), { status: 404 })
    t.match(await call('DELETE', `${URL}/${ulid}`, undefined, manager), { status: 404 })
  }
})

t.test('without a credential each operation is 401', async (t) => {
  for (const [method, url, body] of [
    ['POST', URL, { name: 'x' }],
    ['GET', URL],
    ['GET', `${URL}/x`],
    ['PATCH', `${URL}/x`, { name: 'x' }],
    ['DELETE', `${URL}/x`],
  ] as const)
    t.match(
      await call(method, url, body, stranger),
      { status: 401, json: { statusCode: 401, message: 'Unauthorized' } },
      `${method} ${url}`,
    )
})

t.test('a body is required to create and to change', async (t) => {
  t.equal((await create({})).status, 400)
  t.equal((await call('POST', URL, undefined, manager)).status, 400)
  const { json: made } = await create({ name: 'unchanged' })
  t.equal((await call('PATCH', `${URL}/${made.ulid}`, undefined, manager)).status, 400)
  t.equal((await call('PATCH', `${URL}/${made.ulid}`, {}, manager)).status, 400)
})

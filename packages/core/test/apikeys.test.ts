import t, { type Test } from 'tap'
import { credential } from './db/samples.ts'
import { input, type ServeOptions, serveStored } from './support/serve.ts'

const URL = '/api/v1/apikeys'
const RECORD = ['ulid', 'name', 'description', 'expirationDate', 'active', 'createdAt', 'lastUsedAt', 'prefix']

/** The five operations, with a management token of acme. */
async function managed(t: Test, options: ServeOptions = {}) {
  const served = await serveStored(t, options)
  const headers = { token: (await served.token()).value }
  const ask = (method: string, url = '', body?: unknown, other: Record<string, string> = headers) =>
    served.call(method, URL + url, body, other)
  return { ...served, headers, ask }
}

t.test('a created key is answered with its value, once, and works', async (t) => {
  const { ask, call, clock } = await managed(t)
  const created = await ask('POST', '', { name: 'backend', description: 'nightly', expirationDate: '2027-01-31T00:00:00Z' })
  t.equal(created.statusCode, 201)
  const { key, ...record } = created.json()
  t.same(Object.keys(record).toSorted(), RECORD.toSorted())
  t.match(record, {
    ulid: /^[0-9A-HJKMNP-TV-Z]{26}$/,
    name: 'backend',
    description: 'nightly',
    expirationDate: '2027-01-31T00:00:00.000Z',
    active: true,
    createdAt: clock.now.toISOString(),
    lastUsedAt: null,
  })
  t.match(key, new RegExp(`^svc_${record.ulid}_[A-Za-z0-9_-]{51}$`))
  t.ok(key.startsWith(record.prefix))
  t.equal((await call('GET', 'networks', undefined, { 'x-api-key': key })).statusCode, 200)
  const read = await ask('GET', `/${record.ulid}`)
  t.same(read.json(), { ...record, lastUsedAt: clock.now.toISOString() })
  t.notMatch((await ask('GET')).body + read.body, new RegExp(key.slice(-51)))
})

t.test('only a name is needed', async (t) => {
  const { ask } = await managed(t)
  t.match((await ask('POST', '', { name: 'n' })).json(), { name: 'n', description: null, expirationDate: null, active: true })
  t.match((await ask('POST', '', { name: 'n', description: null, expirationDate: null })).json(), {
    description: null,
    expirationDate: null,
  })
})

t.test('the list holds the keys of the account, oldest first, and no token', async (t) => {
  const { ask, key } = await managed(t)
  await key('beta')
  const ulids: string[] = []
  for (const name of ['first', 'second']) ulids.push((await ask('POST', '', { name })).json().ulid)
  const list = await ask('GET')
  t.equal(list.statusCode, 200)
  t.same(
    list.json().map(({ ulid }: { ulid: string }) => ulid),
    ulids,
  )
  for (const record of list.json()) t.same(Object.keys(record).toSorted(), RECORD.toSorted())
})

t.test('an empty account has an empty list', async (t) => {
  const { ask } = await managed(t)
  t.same((await ask('GET')).json(), [])
})

t.test('a change answers all keys of the account, and leaves what it does not name', async (t) => {
  const { ask } = await managed(t)
  const first = (await ask('POST', '', { name: 'first', description: 'd' })).json()
  const second = (await ask('POST', '', { name: 'second' })).json()
  const changed = await ask('PATCH', `/${first.ulid}`, { name: 'renamed', expirationDate: '2030-01-01' })
  t.equal(changed.statusCode, 200)
  t.match(changed.json(), [
    { ulid: first.ulid, name: 'renamed', description: 'd', expirationDate: '2030-01-01T00:00:00.000Z', active: true },
    { ulid: second.ulid, name: 'second' },
  ])
  t.match((await ask('PATCH', `/${first.ulid}`, { description: null, expirationDate: null, active: false })).json(), [
    { name: 'renamed', description: null, expirationDate: null, active: false },
    { active: true },
  ])
})

t.test('a deleted key is answered with an empty body, and is gone', async (t) => {
  const { ask } = await managed(t)
  const { ulid } = (await ask('POST', '', { name: 'n' })).json()
  const removed = await ask('DELETE', `/${ulid}`)
  t.same([removed.statusCode, removed.body], [200, ''])
  t.equal((await ask('GET', `/${ulid}`)).statusCode, 404)
  t.equal((await ask('DELETE', `/${ulid}`)).statusCode, 404)
  t.same((await ask('GET')).json(), [])
})

t.test('a deletion may announce JSON and send none, as many clients do', async (t) => {
  const { ask, app, headers } = await managed(t)
  const { ulid } = (await ask('POST', '', { name: 'n' })).json()
  const removed = await app.inject({ method: 'DELETE', url: `${URL}/${ulid}`, headers: { ...headers, 'content-type': 'application/json' } })
  t.equal(removed.statusCode, 200)
})

t.test("another account's key, a token, and what never was are the same 404", async (t) => {
  const { ask, key, token } = await managed(t)
  const never = '01JD4Z0V9T6E6N1S2XKQ3B7W8R'
  for (const ulid of [(await key('beta')).ulid, (await token()).ulid, never, 'x', '../../health', "'; drop table"]) {
    for (const [method, body] of [['GET'], ['PATCH', { name: 'n' }], ['DELETE']] as const) {
      const reply = await ask(method, `/${encodeURIComponent(ulid)}`, body)
      t.match(
        reply.json(),
        { statusCode: 404, message: 'Not Found', code: 'KEY_NOT_FOUND', error: /^There is no API key .* in this account\.$/ },
        `${method} ${ulid}`,
      )
    }
  }
})

t.test('token and bearer are two places for the same management token', async (t) => {
  const { ask, token } = await managed(t)
  const { value } = await token()
  for (const headers of [{ token: value }, { authorization: `Bearer ${value}` }, { authorization: `bearer   ${value}` }])
    t.equal((await ask('GET', '', undefined, headers)).statusCode, 200, Object.keys(headers).join())
})

t.test('an API key opens nothing here, a management token nothing elsewhere', async (t) => {
  const { ask, call, key, token } = await managed(t)
  const { value } = await key()
  const missing = { statusCode: 401, code: 'TOKEN_MISSING' }
  const invalid = { statusCode: 401, code: 'TOKEN_INVALID' }
  t.match((await ask('GET', '', undefined, {})).json(), missing)
  t.match((await ask('GET', '', undefined, { 'x-api-key': value })).json(), missing)
  t.match((await ask('GET', '', undefined, { token: value })).json(), invalid)
  t.match((await ask('GET', '', undefined, { authorization: `Bearer ${value}` })).json(), invalid)
  t.match((await ask('GET', '', undefined, { authorization: `Basic ${value}` })).json(), missing)
  const management = (await token()).value
  t.match((await call('GET', 'networks', undefined, { token: management })).json(), { statusCode: 401, code: 'KEY_MISSING' })
  t.match((await call('GET', 'networks', undefined, { 'x-api-key': management })).json(), { statusCode: 401, code: 'KEY_INVALID' })
  t.match((await call('GET', 'networks', undefined, { authorization: `Bearer ${management}` })).json(), {
    statusCode: 401,
    code: 'KEY_MISSING',
  })
})

t.test('every operation wants a management token before it looks at anything else', async (t) => {
  const { ask } = await managed(t)
  for (const [method, url, body] of [
    ['POST', '', '{ not json'],
    ['GET', ''],
    ['GET', '/x'],
    ['PATCH', '/x', '{ not json'],
    ['DELETE', '/x'],
  ] as const)
    t.match((await ask(method, url, body, {})).json(), { statusCode: 401, message: 'Unauthorized' }, `${method} ${url}`)
})

t.test('a body that does not fit is 400 with what does not fit', async (t) => {
  const { ask } = await managed(t)
  const { ulid } = (await ask('POST', '', { name: 'n' })).json()
  const refused = async (method: string, body: unknown, expected: object) =>
    t.match(
      (await ask(method, method === 'PATCH' ? `/${ulid}` : '', body)).json(),
      { statusCode: 400, ...expected },
      JSON.stringify(body).slice(0, 60),
    )
  await refused('POST', {}, { error: 'name is missing.' })
  await refused('POST', { name: 'n', nmae: 'x' }, { error: /no member "nmae"/, code: 'REQUEST_INVALID' })
  await refused('POST', { name: 'n', active: false }, { error: /no member "active"/ })
  await refused('POST', { name: 1 }, { code: 'REQUEST_INVALID' })
  for (const name of ['', '  ', 'a\nb', 'x'.repeat(201)]) {
    await refused('POST', { name }, { code: 'INVALID_NAME' })
    await refused('PATCH', { name }, { code: 'INVALID_NAME' })
  }
  for (const expirationDate of ['tomorrow', '2027-02-30', '2027-01-01T00:00', '', '2026-11-21T12:00:00Z', '2020-01-01']) {
    await refused('POST', { name: 'n', expirationDate }, { code: 'INVALID_EXPIRATION_DATE' })
    await refused('PATCH', { expirationDate }, { code: 'INVALID_EXPIRATION_DATE' })
  }
  await refused('POST', { name: 'n', description: 'x'.repeat(2001) }, { code: 'INVALID_DESCRIPTION' })
  await refused('PATCH', {}, { code: 'REQUEST_INVALID' })
  await refused('PATCH', { active: 'false' }, { code: 'REQUEST_INVALID' })
  await refused('PATCH', { active: null }, { code: 'REQUEST_INVALID' })
  await refused('PATCH', { name: null }, { code: 'REQUEST_INVALID' })
  await refused('PATCH', { ulid: 'x', name: 'n' }, { error: /no member "ulid"/ })
  await refused('PATCH', { key: 'x' }, { error: /no member "key"/ })
  t.same((await ask('GET')).json().length, 1, 'and nothing was created')
})

t.test('every change is in the audit log, with the token and without a value', async (t) => {
  const { ask, token, records, store } = await managed(t)
  const { value, ulid } = await token()
  const headers = { token: value }
  const made = (await ask('POST', '', { name: 'n' }, headers)).json()
  await ask('PATCH', `/${made.ulid}`, { name: 'm' }, headers)
  await ask('DELETE', `/${made.ulid}`, undefined, headers)
  const route = '/api/v1/apikeys/:ulid'
  t.match(await records(3), [
    { account: 'acme', key: ulid, method: 'POST', route: '/api/v1/apikeys', status: 201 },
    { key: ulid, method: 'PATCH', route, status: 200 },
    { key: ulid, method: 'DELETE', route, status: 200 },
  ])
  t.notMatch(JSON.stringify((await store.readAudit({ limit: 10 })).records), /svc_/)
})

t.test('the list comes in pages', async (t) => {
  const { ask } = await managed(t)
  const made: string[] = []
  for (let count = 0; count < 5; count++) made.push((await ask('POST', '', { name: 'n' })).json().ulid)
  const ulids = async (query: string) => (await ask('GET', query)).json().map(({ ulid }: { ulid: string }) => ulid)
  t.same(await ulids('?limit=2'), made.slice(0, 2))
  t.same(await ulids(`?limit=2&after=${made[1]}`), made.slice(2, 4))
  t.same(await ulids(`?after=${made[3]}`), made.slice(4))
  t.same(await ulids(`?after=${made[4]}`), [])
  for (const query of ['?limit=0', '?limit=1001', '?limit=two', '?limit=1.5', '?after=x', `?after=${made[1]!.toLowerCase()}`])
    t.match((await ask('GET', query)).json(), { statusCode: 400, code: 'REQUEST_INVALID' }, query)
})

t.test('an account has no more keys than it may have', async (t) => {
  const accounts = { ...input.accounts, acme: { name: 'Acme', max_keys: 2 } }
  const { ask, store } = await managed(t, { config: { accounts } })
  const replies = await Promise.all(Array.from({ length: 4 }, () => ask('POST', '', { name: 'n' })))
  t.same(replies.map(({ statusCode }) => statusCode).toSorted(), [201, 201, 409, 409])
  t.same(replies.find(({ statusCode }) => statusCode === 409)!.json(), {
    statusCode: 409,
    message: 'Conflict',
    error: 'The account has 2 API keys, which is the most that it may have; delete one that is no longer needed.',
    code: 'KEYS_EXHAUSTED',
  })
  const [one] = (await ask('GET')).json()
  t.equal((await ask('DELETE', `/${one.ulid}`)).statusCode, 200)
  t.equal((await ask('POST', '', { name: 'n' })).statusCode, 201)
  t.equal((await store.listCredentials('acme', 'key', { limit: 10 })).length, 2)
})

t.test('a list never holds more than a thousand, and a changed key is always among them', async (t) => {
  const { ask, store } = await managed(t)
  const ulids = Array.from({ length: 1_002 }, (_, index) => `01M7Z20PGDH5HV46J3E${String(index).padStart(7, '0')}`)
  for (const ulid of ulids) await store.insertCredential(credential({ ulid }))
  t.equal((await ask('GET')).json().length, 1_000)
  for (const at of [0, 999, 1_001]) {
    const changed = (await ask('PATCH', `/${ulids[at]}`, { name: `number ${at}` })).json()
    t.equal(changed.length, 1_000)
    t.match(changed[Math.min(at, 999)], { ulid: ulids[at], name: `number ${at}` })
  }
})

t.test('the audit log says which key was made, changed and deleted, and what was set of it', async (t) => {
  const { ask, store, token } = await managed(t)
  const made = (await ask('POST', '', { name: 'backend', expirationDate: '2027-01-31' })).json()
  await ask('PATCH', `/${made.ulid}`, { active: false })
  await ask('DELETE', `/${made.ulid}`)
  await ask('DELETE', `/${made.ulid}`)
  const { records } = await store.readAudit({ limit: 10, target: made.ulid })
  t.match(records.toReversed(), [
    { action: 'create-key', status: 201, changes: { name: 'backend', description: null, expirationDate: '2027-01-31T00:00:00.000Z' } },
    { action: 'update-key', status: 200, changes: { active: false } },
    { action: 'delete-key', status: 200, changes: null },
    { action: 'delete-key', status: 404, error: 'KEY_NOT_FOUND' },
  ])
  t.equal(records.length, 4)
  for (const record of records) t.match(record, { account: 'acme', target: made.ulid, address: '127.0.0.1', rev: 1 })
  t.notMatch(JSON.stringify(records), made.key.slice(-51))
  t.match(await store.readAudit({ limit: 10, target: (await token()).ulid }), { records: [] })
})

t.test('no key is made, changed or deleted without a record of it', async (t) => {
  const broken = { now: false }
  const store: ServeOptions['store'] = (real) => ({
    ...real,
    async appendAudit(records) {
      if (broken.now) throw new Error('read-only')
      await real.appendAudit(records)
    },
  })
  const { ask, store: real } = await managed(t, { store })
  const { ulid } = (await ask('POST', '', { name: 'n' })).json()
  broken.now = true
  const before = await real.listCredentials('acme', 'key', { limit: 10 })
  for (const [method, url, body] of [
    ['POST', '', { name: 'm' }],
    ['PATCH', `/${ulid}`, { active: false }],
    ['DELETE', `/${ulid}`],
  ] as const)
    t.match((await ask(method, url, body)).json(), { statusCode: 503, code: 'AUDIT_UNAVAILABLE' }, method)
  t.same(await real.listCredentials('acme', 'key', { limit: 10 }), before)
  broken.now = false
})

import { eventually } from '@svc/testing/eventually'
import { desk } from '@svc/testing/paper'
import t from 'tap'
import type { AuditRecord, Store } from '../src/index.ts'
import { serveStored } from './support/serve.ts'

const body = { address: 'p001', amount: 1 }
const settled = () => new Promise((resolve) => setImmediate(resolve))

t.test('an action leaves one record with everything in it', async (t) => {
  const { call, key, records, clock } = await serveStored(t)
  const { value, ulid } = await key()
  const began = performance.now()
  const reply = await call('POST', 'action/give', body, { 'x-api-key': value, 'x-identity': 'user-7', 'x-network': '2' })
  const [record, ...more] = await records(1)
  t.same(more, [])
  t.match(record, {
    id: /^[0-9A-HJKMNP-TV-Z]{26}$/,
    time: clock.now,
    account: 'acme',
    key: ulid,
    identity: 'user-7',
    method: 'POST',
    route: '/api/v1/paper/native/action/give',
    network: '2',
    status: 200,
    requestId: reply.headers['x-request-id'],
    action: 'give',
    txHash: null,
    error: null,
  })
  t.ok(record!.durationMs > 0 && record!.durationMs <= performance.now() - began, 'it took no longer than its caller waited')
  t.same(record!.effects, { signers: ['p001'], calls: [{ target: 'p003', method: 'give', args: {}, value: '1000000000000000000' }] })
})

t.test('a read leaves one too, with the pattern of its path and the network that stood for none', async (t) => {
  const { call, records } = await serveStored(t)
  await call('GET', 'staking-balance/p001')
  const { body } = await call('GET', 'staking-balance/p001?more=secret')
  t.match(JSON.parse(body), { code: 'REQUEST_INVALID', error: 'There is no member "more" in this request; it has none.' })
  const both = await records(2)
  t.notMatch(JSON.stringify(both), /secret/)
  t.match(both.slice(0, 1), [
    {
      method: 'GET',
      route: '/api/v1/paper/native/staking-balance/:address',
      network: '1',
      status: 200,
      action: null,
      effects: null,
      identity: null,
    },
  ])
})

t.test('prepare and broadcast are recorded, broadcast with its hash', async (t) => {
  const { call, records } = await serveStored(t)
  await call('POST', 'action/prepare', { unsigned_text: 'a', seal: 'b' })
  await call('POST', 'action/broadcast', { signed_text: 'a|b' })
  t.match(await records(2), [
    { action: 'prepare', status: 200, network: '1', unsignedHash: 'u-a', txHash: null, rev: 0 },
    { action: 'broadcast', status: 200, network: '1', unsignedHash: 'u-a', txHash: 'h-a|b', rev: 1 },
  ])
})

t.test('refusals of a known caller are recorded with their code, whatever came of them', async (t) => {
  const { call, records } = await serveStored(t)
  await call('POST', 'action/give', { ...body, more: 1 })
  await call('POST', 'action/fail', { ...body, how: 'refused' })
  await call('POST', 'action/fail', { ...body, how: 'fault' })
  await call('POST', 'action/give', '{ not json')
  await call('POST', 'nowhere', body)
  await call('GET', 'nowhere')
  t.match(
    (await records(6)).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    [
      { status: 400, error: 'REQUEST_INVALID', route: '/api/v1/paper/native/action/give' },
      { status: 400, error: 'TOO_LATE', action: 'fail', network: '1' },
      { status: 500, error: 'INTERNAL_ERROR', action: 'fail' },
      { status: 400, error: 'BODY_NOT_JSON' },
      { status: 404, error: 'NOT_FOUND', route: 'unknown' },
      { status: 404, error: 'NOT_FOUND', route: 'unknown' },
    ],
  )
})

t.test(
  'refused credentials are counted: the first is recorded at once, the others when the service closes or the minute is over',
  async (t) => {
    const { app, call, key, records, store } = await serveStored(t)
    const { value, ulid } = await key()
    await store.updateCredential({ ulid, account: 'acme', kind: 'key' }, { active: false })
    for (let count = 0; count < 3; count++) {
      await call('GET', 'networks', undefined, {})
      await call('POST', 'action/give', body, { 'x-api-key': 'made up' })
      await call('GET', 'networks', undefined, { 'x-api-key': value })
    }
    await call('GET', '/api/v1/health', undefined, {})
    const refused = { status: 401, action: 'refuse-credential', address: '127.0.0.1', account: '' }
    const expected = [
      { ...refused, error: 'KEY_MISSING', key: '' },
      { ...refused, error: 'KEY_INVALID', key: '', method: 'POST', route: '/api/v1/paper/native/action/give' },
      { ...refused, error: 'KEY_INVALID', key: ulid, account: 'acme' },
    ]
    t.match(await records(3), expected)
    for (const { count } of await records(3)) t.equal(count, 1)
    await app.close()
    t.match(
      await records(3),
      expected.map((each) => ({ ...each, count: 3, rev: 1 })),
    )
    t.equal((await records(3)).length, 3)
  },
)

t.test('a flood of refused credentials from however many addresses leaves a few records', async (t) => {
  const { app, records } = await serveStored(t, { config: { trusted_proxies: ['127.0.0.1'] } })
  for (let count = 0; count < 300; count++)
    await app.inject({ url: '/api/v1/paper/native/networks', headers: { 'x-api-key': 'x', 'x-forwarded-for': `203.0.113.${count % 250}` } })
  await app.close()
  const found = await records(21)
  t.equal(found.length, 21)
  t.equal(
    found.reduce((sum, { count }) => sum + count, 0),
    300,
    'every one is counted',
  )
  t.match(
    found.find(({ address }) => address === null),
    { count: 300 - 40, key: '', account: '' },
  )
})

t.test('a long identity is cut, never refused', async (t) => {
  const { call, key, records } = await serveStored(t)
  const { value } = await key()
  for (const identity of ['x'.repeat(300), Buffer.from('ä').toString('latin1')])
    t.equal((await call('GET', 'networks', undefined, { 'x-api-key': value, 'x-identity': identity })).statusCode, 200)
  t.same(new Set((await records(2)).map(({ identity }) => identity)), new Set(['x'.repeat(256), 'ä']))
})

/** A store whose audit log waits until it is let go, or fails while told to. */
function audited() {
  const gate = { held: undefined as Promise<void> | undefined, failing: false, attempts: [] as AuditRecord[][] }
  const store = (real: Store): Store => ({
    ...real,
    async appendAudit(records) {
      gate.attempts.push([...records])
      await gate.held
      if (gate.failing) throw new Error('disk full at /var/lib/secret')
      await real.appendAudit(records)
    },
  })
  return { gate, store }
}

t.test('the answer to an action leaves only once its record is saved, whatever its status', async (t) => {
  for (const [name, given, status] of [
    ['a success', body, 200],
    ['a body that does not fit', {}, 400],
    ['a body that is no JSON', '{', 400],
  ] as const) {
    const { gate, store } = audited()
    const { call } = await serveStored(t, { store })
    await call('GET', 'networks')
    const held = Promise.withResolvers<void>()
    gate.held = held.promise
    gate.attempts.length = 0
    let left = false
    const reply = call('POST', 'action/give', given).finally(() => {
      left = true
    })
    while (!gate.attempts.flat().some(({ method }) => method === 'POST')) await settled()
    for (let turn = 0; turn < 10; turn++) await settled()
    t.equal(left, false, name)
    held.resolve()
    t.equal((await reply).statusCode, status)
  }
})

t.test('a read does not wait for its record', async (t) => {
  const { gate, store } = audited()
  const { call } = await serveStored(t, { store })
  const held = Promise.withResolvers<void>()
  gate.held = held.promise
  t.equal((await call('GET', 'networks')).statusCode, 200)
  held.resolve()
})

t.test(
  'a craft whose record cannot be saved is withheld: 503, nothing of it in the answer, one record once the database is back',
  async (t) => {
    const { gate, store } = audited()
    const { call, records, log } = await serveStored(t, { store })
    gate.failing = true
    const reply = await call('POST', 'action/give', body)
    t.same(reply.json(), {
      statusCode: 503,
      message: 'Service Unavailable',
      error: 'The audit log cannot be written at the moment, so no request can be served; try again in a few seconds.',
      code: 'AUDIT_UNAVAILABLE',
    })
    t.equal(reply.headers['retry-after'], '5')
    t.equal(reply.headers['content-type'], 'application/json; charset=utf-8')
    t.ok(reply.headers['x-signature'])
    t.notMatch(reply.body, /paper\||secret/)
    gate.failing = false
    const saved = await records(1)
    t.match(saved, [{ action: 'give', route: '/api/v1/paper/native/action/give' }])
    t.equal(saved.length, 1)
    t.ok(log.some(({ msg }) => msg.includes('audit log cannot be written')))
  },
)

t.test('key management whose record cannot be saved says so too', async (t) => {
  const { gate, store } = audited()
  const { call, token } = await serveStored(t, { store })
  const headers = { token: (await token()).value }
  gate.failing = true
  const reply = await call('POST', '/api/v1/apikeys', { name: 'n' }, headers)
  t.match(reply.json(), { statusCode: 503, code: 'AUDIT_UNAVAILABLE' })
  t.notMatch(reply.body, /svc_/)
  gate.failing = false
})

t.test('nothing is sent before its record is saved: without one it is a 503 that names no hash', async (t) => {
  const { gate, store } = audited()
  const asked = desk()
  const { call, records } = await serveStored(t, { store, fetch: asked })
  gate.failing = true
  const reply = await call('POST', 'action/broadcast', { signed_text: 'a|b' })
  t.match(reply.json(), { statusCode: 503, code: 'AUDIT_UNAVAILABLE', tx_hash: undefined })
  t.notOk(asked.asked.includes('post'))
  gate.failing = false
  t.match(await records(1), [{ action: 'broadcast', status: 503, error: 'AUDIT_UNAVAILABLE', unsignedHash: 'u-a', txHash: null, rev: 1 }])
})

t.test('while a broadcast is under way its record is there, with the hash and without a status', async (t) => {
  const posted = Promise.withResolvers<Response>()
  const answered = desk()
  const fetch: typeof globalThis.fetch = (url, init) => (String(url).endsWith('/post') ? posted.promise : answered(url, init))
  const { call, records, store } = await serveStored(t, { fetch })
  const reply = call('POST', 'action/broadcast', { signed_text: 'a|b' })
  const intent = { action: 'broadcast', status: 0, unsignedHash: 'u-a', txHash: 'h-a|b', rev: 0, error: null }
  t.match(await records(1), [intent])
  posted.resolve(Response.json({}))
  t.equal((await reply).statusCode, 200)
  const found = await store.readAudit({ limit: 10, transaction: 'h-a|b' })
  t.match(found.records, [{ ...intent, status: 200, rev: 1 }])
  t.equal(found.records.length, 1, 'one record, completed')
})

t.test('a broadcast that was sent is answered as it went even when its record cannot be completed yet', async (t) => {
  for (const [fetch, status, answer] of [
    [desk(), 200, { tx_hash: 'h-a|b' }],
    [
      desk({ post: Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } }) }),
      502,
      { tx_hash: 'h-a|b', statusCode: 502 },
    ],
  ] as const) {
    const { gate, store } = audited()
    const failing: typeof globalThis.fetch = (url, init) => {
      gate.failing = String(url).endsWith('/post')
      return fetch(url, init)
    }
    const { call, records, log } = await serveStored(t, { store, fetch: failing })
    const reply = await call('POST', 'action/broadcast', { signed_text: 'a|b' })
    t.equal(reply.statusCode, status)
    t.match(reply.json(), answer)
    t.match(
      log.find(({ msg }) => msg.startsWith('done and answered; its audit record')),
      { level: 50, record: { txHash: 'h-a|b' } },
    )
    t.match(await records(1), [{ status: 0, txHash: 'h-a|b' }], 'the intent is on record all the while')
    gate.failing = false
    await eventually('the record is completed', async () => (await records(1))[0]!.status === status)
    t.match(await records(1), [{ action: 'broadcast', txHash: 'h-a|b', status, rev: 1 }])
    t.equal((await records(1)).length, 1)
  }
})

t.test('a record that took effect although it was given up says in the end what the caller heard', async (t) => {
  for (const order of ['in order', 'late'] as const) {
    const { call, records } = await serveStored(t, {
      // The write takes effect at the database, and its answer never comes; or it takes effect only after what was written next.
      store: (real) => {
        let first: readonly AuditRecord[] | undefined
        return {
          ...real,
          async appendAudit(batch) {
            if (first === undefined) {
              first = structuredClone(batch)
              if (order === 'in order') await real.appendAudit(first)
              throw new Error('no answer within 2500 ms')
            }
            await real.appendAudit(batch)
            if (order === 'late') await real.appendAudit(first)
          },
        }
      },
    })
    t.match((await call('POST', 'action/give', body)).json(), { statusCode: 503, code: 'AUDIT_UNAVAILABLE' })
    await eventually('the record is corrected', async () => (await records(1))[0]!.rev === 1)
    t.match(await records(1), [{ action: 'give', status: 503, error: 'AUDIT_UNAVAILABLE' }], order)
    t.equal((await records(1)).length, 1)
  }
})

t.test('craft, prepare and broadcast of one transaction are linked by one hash', async (t) => {
  const { call, store } = await serveStored(t)
  const { unsigned_text } = (await call('POST', 'action/give', body)).json()
  const prepared = await call('POST', 'action/prepare', { unsigned_text, seal: 's' })
  await call('POST', 'action/broadcast', prepared.json())
  await call('POST', 'action/give', { ...body, amount: 2 })
  const { records } = await store.readAudit({ limit: 10, transaction: `u-${unsigned_text}` })
  t.same(
    records.map(({ action, status, txHash }) => [action, status, txHash]),
    [
      ['broadcast', 200, `h-${unsigned_text}|s`],
      ['prepare', 200, null],
      ['give', 200, null],
    ],
  )
})

t.test('closing saves what is not saved yet', async (t) => {
  const { call, app, store } = await serveStored(t)
  await call('GET', 'networks')
  await app.close()
  t.equal((await store.readAudit({ limit: 10 })).records.length, 1)
})

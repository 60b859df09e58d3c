import t from 'tap'
import type { AuditRecord, Store } from '../src/index.ts'
import { serve } from './support/serve.ts'

const body = { address: 'p001', amount: 1 }
const settled = () => new Promise((resolve) => setImmediate(resolve))

t.test('an action leaves one record with everything in it', async (t) => {
  const { call, key, records, clock } = await serve(t)
  const { value, ulid } = await key()
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
  t.ok(record!.durationMs > 0 && record!.durationMs < 60_000)
  t.same(record!.effects, { signers: ['p001'], calls: [{ target: 'p003', method: 'give', args: {}, value: '1000000000000000000' }] })
})

t.test('a read leaves one too, with the pattern of its path and the network that stood for none', async (t) => {
  const { call, records } = await serve(t)
  await call('GET', 'staking-balance/p001?more=secret')
  t.match(await records(1), [
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
  const { call, records } = await serve(t)
  await call('POST', 'action/prepare', { unsigned_text: 'a', seal: 'b' })
  await call('POST', 'action/broadcast', { signed_text: 'a|b' })
  t.match(await records(2), [
    { action: 'prepare', status: 200, network: '1', txHash: null },
    { action: 'broadcast', status: 200, network: '1', txHash: 'h-1' },
  ])
})

t.test('refusals of a known caller are recorded with their code, whatever came of them', async (t) => {
  const { call, records } = await serve(t)
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

t.test('strangers leave no record', async (t) => {
  const { call, records } = await serve(t)
  await call('GET', 'networks', undefined, {})
  await call('POST', 'action/give', body, { 'x-api-key': 'made up' })
  await call('GET', '/api/v1/health', undefined, {})
  await call('GET', 'networks')
  t.equal((await records(1)).length, 1)
})

t.test('an identity is cut, never refused, and an empty one is none', async (t) => {
  const { call, key, records } = await serve(t)
  const { value } = await key()
  for (const identity of ['x'.repeat(300), 'ä', ''])
    t.equal((await call('GET', 'networks', undefined, { 'x-api-key': value, 'x-identity': identity })).statusCode, 200)
  t.same(new Set((await records(3)).map(({ identity }) => identity)), new Set(['x'.repeat(256), 'ä', null]))
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
    const { call } = await serve(t, { store })
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
  const { call } = await serve(t, { store })
  const held = Promise.withResolvers<void>()
  gate.held = held.promise
  t.equal((await call('GET', 'networks')).statusCode, 200)
  held.resolve()
})

t.test(
  'a craft whose record cannot be saved is withheld: 503, nothing of it in the answer, one record once the database is back',
  async (t) => {
    const { gate, store } = audited()
    const { call, records, log } = await serve(t, { store })
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
  const { call, token } = await serve(t, { store })
  const headers = { token: (await token()).value }
  gate.failing = true
  const reply = await call('POST', '/api/v1/apikeys', { name: 'n' }, headers)
  t.match(reply.json(), { statusCode: 503, code: 'AUDIT_UNAVAILABLE' })
  t.notMatch(reply.body, /svc_/)
  gate.failing = false
})

t.test('a broadcast that was sent answers its hash even when its record cannot be saved yet', async (t) => {
  const { gate, store } = audited()
  const { call, records, log } = await serve(t, { store })
  gate.failing = true
  const reply = await call('POST', 'action/broadcast', { signed_text: 'a|b' })
  t.same([reply.statusCode, reply.json()], [200, { tx_hash: 'h-1' }])
  t.match(
    log.find(({ msg }) => msg.startsWith('broadcast; its audit record')),
    { level: 50, record: { txHash: 'h-1' } },
  )
  gate.failing = false
  const saved = await records(1)
  t.match(saved, [{ action: 'broadcast', txHash: 'h-1', status: 200 }])
  t.equal(saved.length, 1)
})

t.test('closing saves what is not saved yet', async (t) => {
  const { call, app, store } = await serve(t)
  await call('GET', 'networks')
  await app.close()
  t.equal((await store.readAudit({ limit: 10 })).records.length, 1)
})

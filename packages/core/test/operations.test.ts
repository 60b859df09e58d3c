import t, { type Test } from 'tap'
import { createCredential, NO_ACCOUNT } from '../src/index.ts'
import { auditRecord } from './db/samples.ts'
import { peppers, serve } from './support/serve.ts'

/** One service; tokens of an operator and of two accounts, and what has happened before. */
async function world(t: Test) {
  const served = await serve(t)
  const { store, clock } = served
  const made = await createCredential(store, peppers, clock.now, { kind: 'operator', account: NO_ACCOUNT, name: 'alice' })
  const tokens = { operator: made.value, acme: (await served.token()).value, beta: (await served.token('beta')).value }
  const ask = (token: keyof typeof tokens) => (path: string) => served.call('GET', `/api/v1/${path}`, undefined, { token: tokens[token] })
  return { ...served, operator: ask('operator'), acme: ask('acme'), beta: ask('beta') }
}

t.test('the audit log is read by its account, and by operators whole, with the steps of each transaction', async (t) => {
  const { store, clock, call, key, records, operator, acme, beta } = await world(t)
  const { value, ulid } = await key()
  const crafted = (await call('POST', 'action/give', { address: 'p001', amount: 1 }, { 'x-api-key': value, 'x-identity': '=1+1' })).json()
  const prepared = (await call('POST', 'action/prepare', { ...crafted, seal: 's' }, { 'x-api-key': value })).json()
  await call('POST', 'action/broadcast', prepared, { 'x-api-key': value })
  await call('POST', 'action/give', { address: 'p001', amount: 0 }, { 'x-api-key': value })
  await records(4)

  const { records: told, next } = (await acme(`audit?key=${ulid}`)).json()
  t.equal(next, null)
  t.match(told, [
    { action: 'give', outcome: 'refused', status: 400, error: { code: 'AMOUNT_INVALID' }, unsigned_hash: null, steps: [] },
    { action: 'broadcast', outcome: 'ok', tx_hash: /^h-/ },
    { action: 'prepare', outcome: 'ok', tx_hash: null },
    {
      id: /^[0-9A-Z]{26}$/,
      time: clock.now.toISOString(),
      account: 'acme',
      key: { ulid, name: 'test' },
      identity: '=1+1',
      method: 'POST',
      protocol: 'paper',
      network: '1',
      action: 'give',
      count: 1,
      sentence: null,
      moves: null,
      wallet: 'p001',
      error: null,
    },
  ])
  t.ok(told[3].duration_ms > 0)
  t.match(told[2].steps, [{ step: 'craft', id: told[3].id }, { step: 'prepare' }, { step: 'broadcast', outcome: 'ok', error: null }])
  t.equal(told[2].steps.length, 3)
  t.same(told[3].steps, told[1].steps)
  const ids = (reply: { json(): { records: { id: string }[] } }) => reply.json().records.map(({ id }) => id)
  t.same(ids(await acme(`audit?transaction=${encodeURIComponent(told[1].tx_hash)}&limit=1`)), [told[1].id])
  const first = (await acme(`audit?key=${ulid}&collapse=true&limit=1`)).json()
  t.same([first.records[0].id, ids(await acme(`audit?key=${ulid}&collapse=true&before=${first.next}`))], [told[0].id, [told[1].id]])
  t.same(ids(await acme(`audit?key=${ulid}&from=2026-11-22`)), [])

  t.same(ids(await beta(`audit?key=${ulid}`)), [], 'another account sees nothing of it')
  t.equal(ids(await operator(`audit?key=${ulid}`)).length, 4)
  t.equal(ids(await operator('audit?account=beta&protocol=paper')).length, 0)
  for (const [asked, code] of [
    ['audit?account=beta', 'UNKNOWN_ACCOUNT'],
    ['audit/export?account=beta', 'UNKNOWN_ACCOUNT'],
    ['overview?account=beta', 'UNKNOWN_ACCOUNT'],
    ['audit?from=yesterday', 'REQUEST_INVALID'],
    ['audit?outcome=good', 'REQUEST_INVALID'],
    ['audit?limit=201', 'REQUEST_INVALID'],
    ['audit/export?limit=10001', 'REQUEST_INVALID'],
    ['audit/export?format=xml', 'REQUEST_INVALID'],
    ['overview?window=1y', 'REQUEST_INVALID'],
    ['audit?before=x', 'INVALID_CURSOR'],
  ] as const) {
    const reply = await acme(asked)
    t.same([reply.statusCode, reply.json().code], [400, code], asked)
  }
  t.equal((await call('GET', '/api/v1/audit', undefined, { 'x-api-key': value })).statusCode, 401)

  const file = await acme(`audit/export?key=${ulid}&limit=2`)
  t.equal(file.headers['content-type'], 'text/csv; charset=utf-8')
  t.equal(file.headers['content-disposition'], 'attachment; filename="audit-acme-20261121T120000Z.csv"')
  const [head, ...lines] = file.body.split('\r\n')
  t.match(head, /^id,time,account,key,key_name,by_operator,/)
  t.equal(lines.length, 3)
  const rest = await acme(`audit/export?key=${ulid}&format=jsonl&before=${file.headers['x-next']}`)
  t.equal(rest.headers['content-type'], 'application/jsonl')
  t.equal(rest.headers['x-next'], undefined)
  const { steps: _, ...line } = told[3]
  t.same(
    rest.body
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each))
      .at(-1),
    line,
  )
  const harmful = auditRecord({ account: 'acme', identity: '@cmd', sentence: 'A "quoted" one, with a comma', time: clock.now, key: 'K' })
  await store.appendAudit([harmful])
  const cells = (await acme('audit/export?key=K')).body
  t.match(cells, `,'@cmd,`)
  t.match(cells, ',"A ""quoted"" one, with a comma",')
})

t.test('one file of the audit log is made at a time for a token, and four in all; the others come again', async (t) => {
  const { store, call, token, acme, beta, operator } = await world(t)
  const held = Promise.withResolvers<void>()
  const read = store.readAudit.bind(store)
  let waiting = 0
  store.readAudit = async (filter) => {
    waiting++
    await held.promise
    return read(filter)
  }
  const more = [(await token()).value, (await token()).value]
  const file = (token: string) => call('GET', '/api/v1/audit/export', undefined, { token })
  const begun = [acme('audit/export'), beta('audit/export'), file(more[0]!)]
  while (waiting < 3) await new Promise((done) => setImmediate(done))
  const twice = await acme('audit/export')
  t.match(twice, { statusCode: 503, headers: { 'retry-after': '5' } })
  t.match(twice.json(), { code: 'EXPORTS_BUSY', error: /while another of this token is being made/ })
  begun.push(operator('audit/export'))
  while (waiting < 4) await new Promise((done) => setImmediate(done))
  t.match((await file(more[1]!)).json(), { code: 'EXPORTS_BUSY', error: /while 4 are being made/ })
  held.resolve()
  t.same(
    (await Promise.all(begun)).map(({ statusCode }) => statusCode),
    [200, 200, 200, 200],
  )
  t.equal((await acme('audit/export')).statusCode, 200, 'its place is free again')
  store.readAudit = async () => {
    throw new Error('the database is away')
  }
  t.equal((await acme('audit/export')).statusCode, 500)
  store.readAudit = read
  t.equal((await acme('audit/export')).statusCode, 200, 'after a failure too')
})

t.test('the overview counts what happened, and tells operators how the service is', async (t) => {
  const { store, clock, call, key, records, operator, acme, beta } = await world(t)
  const { value } = await key('acme', '2026-11-30')
  const as = { 'x-api-key': value }
  const crafted = (await call('POST', 'action/give', { address: 'p001', amount: 1 }, as)).json()
  await call('POST', 'action/broadcast', { signed_text: `${crafted.unsigned_text}|s` }, as)
  await call('POST', 'action/give', { address: 'p001', amount: 0 }, as)
  await call('POST', 'action/cheat', { address: 'p001', amount: 1 }, as)
  await call('GET', 'networks', undefined, as)
  await records(5)
  const theirs = { account: 'beta', time: new Date('2026-11-21T02:59:00Z'), protocol: 'paper', action: 'give', durationMs: 40 }
  await store.appendAudit([auditRecord(theirs)])

  const mine = (await acme('overview')).json()
  t.match(mine, {
    window: '24h',
    from: '2026-11-20T13:00:00.000Z',
    to: clock.now.toISOString(),
    bucket_seconds: 3600,
    totals: { ok: 3, refused: 1, failed: 1, crafts: 1, broadcasts: 1 },
    refusals: [
      { code: 'AMOUNT_INVALID', count: 1 },
      { code: 'DECODE_MISMATCH', count: 1 },
    ],
    crafts: [{ protocol: 'paper', action: 'give', count: 1 }],
    alarms: [{ kind: 'DECODE_MISMATCH', time: clock.now.toISOString(), account: 'acme', protocol: 'paper', network: '1', action: 'cheat' }],
    keys: { active: 1, inactive: 0, expiring: [{ name: 'test', account: 'acme', expires: '2026-11-30T00:00:00.000Z' }] },
    service: null,
  })
  t.equal(mine.series.length, 24)
  t.same(mine.series.at(-1), { time: '2026-11-21T12:00:00.000Z', ok: 3, refused: 1, failed: 1 })
  t.ok(mine.latency_ms.p50 > 0 && mine.latency_ms.p95 >= mine.latency_ms.p50)

  const others = (await beta('overview?window=7d')).json()
  t.match(others, { totals: { ok: 1, crafts: 1 }, latency_ms: { p50: 40, p95: 49 }, refusals: [], alarms: [], keys: { active: 0 } })
  t.equal(others.series.length, 168)
  t.same((await beta('overview?window=1h')).json().latency_ms, null)

  const all = (await operator('overview?window=24h')).json()
  t.match(all.totals, { ok: 4, refused: 1, failed: 1, crafts: 2, broadcasts: 1 })
  t.match((await operator('overview?account=beta')).json(), { totals: { ok: 1, refused: 0 }, service: { version: '1.2.3' } })
  t.match(all.service, {
    replica: /:\d+$/,
    started: '2026-11-21T12:00:00.000Z',
    endpoints: [
      { protocol: 'paper', network: '1', group: 'desk', position: 1, host: 'desk.invalid', state: 'ok', last_error: null, since: /^2026/ },
      { protocol: 'paper', network: '2', state: 'unused', ms: null, since: null },
    ],
    snapshots: [
      { protocol: 'paper', network: '1', age_seconds: 0, stale: false },
      { protocol: 'paper', network: '2', age_seconds: 0, stale: false },
    ],
    audit_unsaved: Number,
    version: '1.2.3',
  })
})

t.test('of an endpoint operators see the host and how it is, and nothing that may be secret', async (t) => {
  const endpoints = { desk: ['https://user:secret@one.example:8443/key-in-the-path?more=secret', { url: 'http://two.example/v2/secret' }] }
  const plugin = { networks: { 1: { name: 'paper one', endpoints, clerk: 'p002' } } }
  const down: typeof fetch = async () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
  }
  const { call, store, clock } = await serve(t, {
    config: { plugins: { '@svc/plugin-paper': plugin }, accounts: { acme: { name: 'Acme' } } },
    fetch: down,
  })
  const { value } = await createCredential(store, peppers, clock.now, { kind: 'operator', account: NO_ACCOUNT, name: 'alice' })
  t.equal((await call('POST', 'action/give', { address: 'p001', amount: 1 })).statusCode, 502)
  const { body } = await call('GET', '/api/v1/overview', undefined, { token: value })
  t.match(JSON.parse(body).service.endpoints, [
    { position: 1, host: 'one.example:8443', state: 'resting', ms: null, last_error: /ECONNREFUSED/ },
    { position: 2, host: 'two.example', state: 'resting' },
  ])
  t.notMatch(body, /secret|key-in-the-path|user/)
})

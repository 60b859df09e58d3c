import t, { type Test } from 'tap'
import { keptPath, refusedRecord } from '../src/audit/refusal-record.ts'
import type { AuditRecord } from '../src/index.ts'
import { serveStored } from './support/serve.ts'

const SEED = 'abandon abandon ability able about above absent absorb abstract absurd abuse access'
const PRIVATE = 'b71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291'

/** Sends one request, and gives its record as it is kept, with the sentence of its answer. */
async function refused(t: Test, body: unknown, path = 'action/give') {
  const { call, records } = await serveStored(t)
  const reply = await call('POST', path, body)
  const [record] = await records(1)
  return { record: record as AuditRecord, sentence: reply.json().error as string, status: reply.statusCode }
}

t.test('a refused craft keeps who would have signed, the amount as it was written, and the sentence of its answer', async (t) => {
  for (const [body, path, expected] of [
    ['{"address":"P001","amount":0.00}', 'action/give', { error: 'AMOUNT_INVALID', wallet: 'p001', asked: { amount: '0.00' } }],
    [{ address: 'p001', amount: '1e999' }, 'action/give', { wallet: 'p001', asked: { amount: '1e999' } }],
    [{ address: 'p001', amount: 2, how: 'refused' }, 'action/fail', { error: 'TOO_LATE', wallet: 'p001', asked: { amount: '2' } }],
    [{ address: 'p001', amount: 2, how: 'busy' }, 'action/fail', { error: 'UPSTREAM_BUSY', wallet: 'p001', status: 503 }],
    // The schema refuses it before any line of the protocol runs.
    [
      { address: 'P001', amount: 3, note: 'x'.repeat(11) },
      'action/give',
      { error: 'REQUEST_INVALID', wallet: 'p001', asked: { amount: '3' } },
    ],
    [{ address: 'p1', amount: 3 }, 'action/give', { error: 'ADDRESS_INVALID', wallet: null, asked: { amount: '3' } }],
    [{ address: 7, amount: [SEED] }, 'action/give', { error: 'REQUEST_INVALID', wallet: null, asked: null }],
    [{ amount: SEED }, 'action/give', { wallet: null, asked: null }],
  ] as const) {
    const { record, sentence } = await refused(t, body, path)
    t.match(record, expected, JSON.stringify(body))
    t.equal(record.reason, sentence.replaceAll(SEED, '…'), JSON.stringify(body))
    t.equal(record.path, null)
  }
})

t.test('what was done keeps none of it: the bytes say what it is', async (t) => {
  const { record } = await refused(t, { address: 'p001', amount: 1 })
  t.match(record, { status: 200, wallet: 'p001', asked: null, reason: null, path: null })
})

t.test('a path that is not there is kept without its query, and within bounds', async (t) => {
  const { call, records } = await serveStored(t)
  await call('POST', `/api/v1/paper/native/action/gvie?seed=${PRIVATE}`, {})
  const [record] = await records(1)
  t.match(record, { status: 404, error: 'NOT_FOUND', route: 'unknown', path: '/api/v1/paper/native/action/gvie' })
  t.match(record!.reason, /There is no POST \/api\/v1\/paper\/native\/action\/gvie here/)
  const key = `svc_01JD4Z0V9T6E6N1S2XKQ3B7W8R_${'x'.repeat(51)}`
  t.equal(keptPath(`/api/v1/${key}/networks`), '/api/v1/…/networks')
  t.equal(keptPath(`/api/v1/${SEED.replaceAll(' ', '%20')}`), '/api/v1/…')
  t.equal(keptPath(`/api/v1/${'a'.repeat(70)}`), `/api/v1/${'a'.repeat(70)}`)
  t.equal(keptPath(`/api/v1/${'a'.repeat(71)}`), '/api/v1/…')
  t.equal(keptPath(`/${'ab/'.repeat(500)}`).length, 121)
})

t.test('what may be a secret in the wrong place is in no record', async (t) => {
  const { call, records } = await serveStored(t)
  const bodies = [
    { address: SEED, amount: 1 },
    { address: PRIVATE, amount: 1 },
    { address: 'p001', amount: 1, [PRIVATE]: 1 },
    { address: 'p001', amount: 1, [SEED]: 1 },
    { address: 'p001', amount: SEED },
    { address: 'p001', amount: PRIVATE },
    { address: 'p001', amount: 1, note: `${SEED}\u0000"` },
    { address: 'p001', amount: 1, copies: SEED },
    `{"address": ${SEED}}`,
    `{"address": "${PRIVATE}`,
    SEED,
    PRIVATE,
  ]
  for (const body of bodies) t.equal((await call('POST', 'action/give', body)).statusCode, 400)
  await call('POST', 'action/broadcast', { signed_text: PRIVATE })
  await call('POST', `action/${PRIVATE}${PRIVATE}`, {})
  await call('POST', `action/${encodeURIComponent(SEED)}`, {})
  await call('GET', `networks?${PRIVATE}=1`)
  await call('GET', `staking-balance/${encodeURIComponent(SEED)}`)
  await call('GET', `staking-balance/${PRIVATE}`)
  const kept = await records(bodies.length + 6)
  for (const record of kept) {
    t.ok(record.status >= 400)
    t.notMatch(JSON.stringify(record), /abandon ab|abandon%20ab|ability able|b71c71a67e1177ad/, record.reason ?? '')
  }
})

t.test('a refused request is found by its wallet, and by a part of its sentence or path, by those who may see it', async (t) => {
  const { call, records, token } = await serveStored(t)
  await call('POST', 'action/give', { address: 'p007', amount: 0 })
  await call('GET', 'action/nowhere-at-all')
  await records(2)
  const mine = { token: (await token()).value }
  const others = { token: (await token('beta')).value }
  const ask = async (query: string, headers = mine) => (await call('GET', `/api/v1/audit?${query}`, undefined, headers)).json().records
  const found = await ask('q=P007')
  t.match(found, [
    {
      wallet: 'p007',
      error: { code: 'AMOUNT_INVALID', sentence: 'amount is zero; it must be above zero.' },
      asked: { amount: '0' },
      path: null,
    },
  ])
  t.equal(found.length, 1)
  t.match(await ask('q=IS%20ZERO'), [{ wallet: 'p007' }])
  t.match(await ask('q=nowhere-at'), [{ status: 404, path: '/api/v1/paper/native/action/nowhere-at-all', asked: null }])
  t.same(await ask('q=is%20zero', others), [])
  t.same(await ask('q=P007', others), [])
  const file = (await call('GET', '/api/v1/audit/export?wallet=p007', undefined, mine)).body
  t.match(file.split('\r\n')[0], /,error,error_sentence,asked,path,target,changes$/)
  t.match(file, ',AMOUNT_INVALID,amount is zero; it must be above zero.,"{""amount"":""0""}",,,')
})

t.test('a text of the caller is left out whole, and nothing beside it', (t) => {
  const reasonOf = (change: object, reason: string) =>
    refusedRecord({ method: 'POST', url: '/a', query: {}, params: {}, routeOptions: {}, ...change } as never, 400, reason).reason
  for (const length of [16, 17, 18, 31]) {
    const text = 'abcdefghijklmnopqrstuvwxyz0123456789'.slice(0, length)
    const sentence = `note is ${text}, and ${text} is too long.`
    t.equal(reasonOf({ body: { note: text } }, sentence), 'note is …, and … is too long.', `${length} characters`)
    t.equal(reasonOf({ body: { note: `${text} and more` } }, `It is ${text}.`), 'It is ….', 'of a longer one the beginning')
  }
  t.equal(reasonOf({ body: { note: 'abcdefghijklmno' } }, 'note is abcdefghijklmno.'), 'note is abcdefghijklmno.', '15 are a word')
  t.equal(reasonOf({ body: {} }, 'x'.repeat(700)), 'x'.repeat(600), 'a long sentence is cut')
  t.equal(reasonOf({ body: undefined }, 'It begins with "seed words" and goes on.'), 'It begins with "…" and goes on.')
  for (const method of ['GET', 'HEAD'])
    t.equal(reasonOf({ body: undefined, method }, 'There is no "x" here.'), 'There is no "x" here.', `${method} has no body to be quoted`)
  t.end()
})

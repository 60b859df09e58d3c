import { createClient, SvcError } from '@svc/client'
import { evmThree } from '@svc/intent-evm-three'
import t from 'tap'
import { evm } from './support/answers.ts'
import { API_KEY, clientOf as serving, trusted } from './support/service.ts'

const HASH = `0x${'ab'.repeat(32)}`

/** A client of a service that answers this to everything, signed. */
function clientOf(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  const { monad, asked } = serving(() => ({ status, body, headers }))
  return { monad, asked: () => asked.length }
}

const right = {
  tx_hash: HASH,
  status: 'final',
  finality: 'final',
  certainty: 'proven',
  network: 'eip155:143',
  block: { height: 7, hash: HASH, time: '2026-11-25T12:00:00.000Z' },
  fee: { amount: '-0.5', unit: 'MON' },
  moves: [{ kind: 'staked', asset: 'native', units: '10' }],
  object_ids: ['7'],
  error: null,
  replaced_by: null,
  valid_until: { kind: 'nonce', value: '7', estimated_at: null },
  looked_at: 9,
  first_seen: null,
  checked_at: '2026-11-25T12:00:00.000Z',
}
const told = (change: object) => JSON.stringify({ ...right, ...change })

t.test('a status is read whole, and only of what was asked about', async (t) => {
  t.match(await clientOf(200, told({})).monad.status(HASH), { status: 'final', moves: [{ amount: 10n }], fee: { units: -5n * 10n ** 17n } })
  t.match(await clientOf(200, told({ fee: { amount: '0.5', unit: 'MON' } })).monad.status(HASH), {
    fee: { text: '0.5', units: 5n * 10n ** 17n },
  })
  t.match(await clientOf(200, told({ tx_hash: HASH.toUpperCase().replace('0X', '') })).monad.status(HASH), { status: 'final' })
  for (const [status, finality] of [
    ['unknown', 'none'],
    ['pending', 'none'],
    ['included', 'included'],
    ['failed', 'included'],
    ['failed', 'final'],
    ['replaced', 'none'],
    ['expired', 'none'],
  ])
    t.match(await clientOf(200, told({ status, finality })).monad.status(HASH), { status, finality })
  t.match(await clientOf(200, told({ status: 'replaced', finality: 'none', replaced_by: 'x' })).monad.status(HASH), {
    replacedBy: 'x',
    replacedBySame: null,
  })
  for (const same of [true, false, null])
    t.match(
      await clientOf(200, told({ status: 'replaced', finality: 'none', replaced_by: 'x', replaced_by_same: same })).monad.status(HASH),
      {
        replacedBySame: same,
      },
    )
  t.match(await clientOf(200, told({ status: 'failed', error: { code: 'OUT_OF_GAS', reason: 'It ran out.' } })).monad.status(HASH), {
    error: { code: 'OUT_OF_GAS', reason: 'It ran out.' },
  })
  t.match(await clientOf(200, told({ moves: null, object_ids: null, block: null, fee: null })).monad.status(HASH), { moves: null })
})

t.test('whatever else a status says is refused, by status, settled and track', async (t) => {
  const lies: readonly object[] = [
    { tx_hash: `0x${'ac'.repeat(32)}` },
    { tx_hash: null },
    { tx_hash: `${HASH}00` },
    { network: 'eip155:10143' },
    { network: '143' },
    { network: null },
    { status: 'done' },
    { status: 'toString' },
    { status: 7 },
    { status: 'unknown' },
    { status: 'pending' },
    { status: 'expired' },
    { finality: 'none' },
    { finality: '' },
    { finality: 'included final' },
    { status: 'failed', finality: 'none' },
    { status: 'included' },
    { certainty: 'sure' },
    { replaced_by: HASH },
    { replaced_by: 7, status: 'replaced', finality: 'none' },
    { replaced_by: 'x', replaced_by_same: 'true', status: 'replaced', finality: 'none' },
    { replaced_by_same: true, status: 'replaced', finality: 'none' },
    { checked_at: 'now' },
    { checked_at: 7 },
    { moves: {} },
    { moves: [null] },
    { moves: [{ kind: 7, asset: 'native', units: '1' }] },
    { moves: [{ kind: 'staked', asset: null, units: '1' }] },
    ...['ten', '0x10', '-1', '01', '1'.repeat(79), '1e9', 1].map((units) => ({ moves: [{ kind: 'staked', asset: 'native', units }] })),
    { object_ids: [7] },
    { object_ids: 'x' },
    { error: { code: 7, reason: 'x' } },
    { error: { code: 'X', reason: {} } },
    { error: 'x' },
    { block: { height: '7', hash: null, time: null } },
    { block: { height: -1, hash: null, time: null } },
    { block: { height: 1, hash: 7, time: null } },
    { fee: { amount: 1, unit: 'MON' } },
    { fee: { amount: '1e-999999999', unit: 'MON' } },
    { fee: { amount: 'x', unit: 'MON' } },
    { valid_until: { kind: 7, value: null, estimated_at: null } },
    { valid_until: { kind: 'nonce', value: 7, estimated_at: null } },
    { valid_until: { kind: 'nonce', value: null, estimated_at: 7 } },
  ]
  for (const lie of lies) {
    const { monad } = clientOf(200, told(lie))
    // An amount, or members of something else, are quoted as they are.
    const names = (text: string) =>
      [...Object.keys(lie), 'finality'].some((name) => text.includes(`The member ${name} of`)) || /of a form that/.test(text)
    const reasons = [monad.status(HASH), monad.settled(HASH, { signal: AbortSignal.timeout(60_000) }), monad.track(HASH)]
    for (const found of await Promise.all(reasons.map((each) => each.catch((error: unknown) => error))))
      t.ok(SvcError.is(found) && /^[A-Z].*\.$/.test(found.message) && names(found.message), `${JSON.stringify(lie)}: ${found}`)
  }
})

t.test('a service cannot hold its caller', async (t) => {
  const refusal = JSON.stringify({ error: 'Later.', code: 'RATE_LIMITED', request_id: '1' })
  for (const after of ['61', '2000000', '999999999', '9999999999', '9'.repeat(20)]) {
    const { monad, asked } = clientOf(429, refusal, { 'retry-after': after })
    await t.rejects(monad.info(), { name: 'RateLimitError', retryAfter: Math.min(Number(after), Number.MAX_SAFE_INTEGER) }, 'told at once')
    t.equal(asked(), 1)
  }
  const soon = clientOf(429, refusal, { 'retry-after': '0' })
  await t.rejects(soon.monad.info(), { name: 'RateLimitError', retryAfter: 0 })
  t.equal(soon.asked(), 3, 'what is soon is waited for')
  for (const after of ['-1', '1e9', '0x10', 'Infinity', 'Wed, 25 Nov 2026 12:00:00 GMT'])
    await t.rejects(clientOf(400, refusal, { 'retry-after': after }).monad.info(), { name: 'ServiceError', retryAfter: null }, after)

  const amounts = ['1e-999999999', '1e999999999', '1e-61']
  for (const amount of amounts)
    await t.rejects(clientOf(200, `{"staked_amount":${amount}}`).monad.balance('0x'), { name: 'SvcError' }, amount)
  t.match(await clientOf(200, '{"staked_amount":1e-18}').monad.balance('0x'), { staked: { units: 1n } })

  let sent = 0
  const endless: typeof fetch = async () =>
    new Response(
      new ReadableStream({
        pull(controller) {
          sent += 1024 * 1024
          controller.enqueue(new Uint8Array(1024 * 1024))
        },
      }),
    )
  const held = createClient({ trust: trusted, apiKey: API_KEY, protocols: { monad: evmThree }, fetch: endless, retries: 0 })
  await t.rejects(held.monad.info(), { name: 'ConnectionError', message: /answered more than 8388608 bytes\.$/ })
  t.ok(sent < 12 * 1024 * 1024, `${sent} bytes were taken`)
})

t.test('an answer with a member twice is none', async (t) => {
  for (const body of ['{"symbol":"MON","symbol":"X"}', '{"symbol":"MON","s\\u0079mbol":"X"}'])
    await t.rejects(clientOf(200, body).monad.info(), { name: 'SvcError', message: /has a member twice/ })
  t.same(await clientOf(200, '{"a":{"symbol":"MON"},"symbol":"X"}').monad.info(), { a: { symbol: 'MON' }, symbol: 'X' })
})

t.test('a craft for an address that is none is signed by nobody, whatever the service answers', async (t) => {
  for (const address of ['0x19E7', `0x${'zz'.repeat(20)}`, '19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'])
    await t.rejects(
      clientOf(200, JSON.stringify(evm.craft)).monad.delegate({ address, amount: '100' }),
      { name: 'MismatchError', mismatches: [{ path: 'input.address', expected: '0x and 40 hex digits', found: address }] },
      address,
    )
})

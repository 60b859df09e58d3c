import { evmWallets } from '@svc/sandbox-evm'
import t from 'tap'
import { call, control, get, manager, post, type Reply, sandbox, stranger } from '../support/service.ts'
import { ERROR, hasShape } from '../support/shape.ts'

const { address } = evmWallets[0]!

function refused(
  t: Parameters<typeof hasShape>[0],
  reply: Reply,
  status: number,
  message: string,
  what: string,
  shape: object = ERROR,
): void {
  t.equal(reply.status, status, what)
  hasShape(t, reply.json, shape as typeof ERROR, what)
  t.equal(reply.json?.statusCode, status, 'the status is mirrored')
  t.equal(reply.json?.message, message, 'message is the HTTP phrase')
  t.match(reply.json?.error, /^\S+ .{9,}$/, 'error is a sentence')
  t.match(reply.json?.code, /^[A-Z][A-Z_]+$/, 'code is a word for programs')
  t.match(reply.headers.get('content-type'), /^application\/json/)
  t.ok(reply.headers.get('x-request-id'))
  t.notMatch(reply.text, /127\.0\.0\.1|http:|stack|node_modules|\.ts/, 'and nothing of the inside is told')
}

t.test('400: invalid or missing body fields', async (t) => {
  refused(t, await post('action/delegate', {}), 400, 'Bad Request', 'missing')
  refused(t, await post('action/delegate', { address, amount: true }), 400, 'Bad Request', 'invalid')
  refused(t, await post('action/delegate', { address, amount: 1, more: 1 }), 400, 'Bad Request', 'unknown')
  refused(t, await post('action/delegate', '{'), 400, 'Bad Request', 'no JSON')
  refused(t, await post('action/delegate', `${'['.repeat(100_000)}${']'.repeat(100_000)}`), 400, 'Bad Request', 'too deep')
})

t.test('400: a malformed address', async (t) => {
  refused(t, await get('staking-balance/0x1'), 400, 'Bad Request', 'in a path')
  refused(t, await post('action/compound', { address: '0x1' }), 400, 'Bad Request', 'in a body')
})

t.test('400: an amount below the minimum of the network', async (t) => {
  refused(t, await post('action/delegate', { address, amount: 1e-10 }), 400, 'Bad Request', 'below')
})

t.test('400: an action that is not valid in the current state of the chain', async (t) => {
  refused(t, await post('action/withdraw', { address, withdrawId: 9 }), 400, 'Bad Request', 'withdraw')
  refused(t, await post('action/claim-rewards', { address }), 400, 'Bad Request', 'claim')
})

t.test('401: authentication failed', async (t) => {
  refused(t, await get('networks', stranger), 401, 'Unauthorized', 'missing')
  refused(t, await get('networks', { 'x-api-key': 'wrong' }), 401, 'Unauthorized', 'invalid')
  refused(t, await call('GET', '/api/v1/apikeys', undefined, stranger), 401, 'Unauthorized', 'management')
})

t.test('404: an unknown resource', async (t) => {
  refused(t, await get('/api/v1/apikeys/01JD4Z0V9T6E6N1S2XKQ3B7W8S', manager), 404, 'Not Found', 'a key')
  refused(t, await get('nowhere'), 404, 'Not Found', 'a path')
  refused(t, await get('/api/v1/evm-nine/native/networks'), 404, 'Not Found', 'a protocol')
})

t.test('413, 414, 415: what cannot be read', async (t) => {
  refused(t, await post('action/delegate', JSON.stringify({ address, amount: 'x'.repeat(400_000) })), 413, 'Payload Too Large', 'too large')
  refused(t, await get(`staking-balance/${'0'.repeat(500)}`), 414, 'URI Too Long', 'too long')
  const headers = { 'x-api-key': sandbox.apiKey, 'content-type': 'application/xml' }
  refused(t, await call('POST', 'action/delegate', '<a/>', headers), 415, 'Unsupported Media Type', 'another type')
})

t.test('5xx: an upstream that fails is told as such, and the same call succeeds once it is back', async (t) => {
  const calls = {
    craft: () => post('action/delegate', { address, amount: 1 }),
    balance: () => get(`staking-balance/${address}`),
    withdrawals: () => get(`withdrawals/${address}`),
  }
  for (const [name, ask] of Object.entries(calls)) {
    for (const kind of ['error', 'drop']) {
      await control('fault', { kind })
      refused(t, await ask(), 502, 'Bad Gateway', `${name} ${kind}`)
      await control('fault', { kind: 'none' })
      t.equal((await ask()).status, 200, 'may be retried')
    }
  }
})

t.test('prepare and what the snapshot holds need no upstream', async (t) => {
  await control('fault', { kind: 'drop' })
  t.equal((await get('networks')).status, 200)
  t.equal((await get('staking-info')).status, 200)
  t.equal((await get('/api/v1/health', stranger)).status, 200)
  t.match(await post('action/prepare', { serialized_tx_hex: '0x00', r: '1', s: '1', v: 0 }), { status: 400 })
  await control('fault', { kind: 'none' })
})

t.test('a broadcast that did not get through is told as a failure of the upstream', async (t) => {
  const vector =
    '0xf89480851a1fa4220083044dc694000000000000000000000000000000000000100089056bc75e2d63100000a484994fec000000000000000000000000000000000000000000000000000000000000000c820142a07f0e73ea7b2abac33c1a7d1bf9eb603df05ee7fbc51536ea7825c300b7a776cfa01b60f7cf4621260d286ab09d34a371d9f41148be46a5538696dcfc0496b19ede'
  await control('fault', { kind: 'drop' })
  const lost = await post('action/broadcast', { signed_tx_hex: vector })
  refused(t, lost, 502, 'Bad Gateway', 'drop', { ...ERROR, tx_hash: ERROR.error })
  t.equal(lost.json.tx_hash, '0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c', 'with the hash to look up')
  await control('fault', { kind: 'none' })
  // One endpoint refuses it; another one may have taken the same bytes before.
  const poor = await post('action/broadcast', { signed_tx_hex: vector })
  refused(t, poor, 400, 'Bad Request', 'its account holds nothing', { ...ERROR, tx_hash: ERROR.error })
})

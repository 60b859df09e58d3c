// alone: it uses up what a key and an address may ask
import { evmWallets } from '@svc/sandbox-evm'
import t from 'tap'
import { get, mint, post, stranger } from '../support/service.ts'
import { ERROR, hasShape } from '../support/shape.ts'

const SLOTS = [-1, 256, 1.5, 1e300, '7', null]
const { address } = evmWallets[0]!

/** Statuses of many calls, and how many there were of each. */
async function statuses(calls: number, headers: (index: number) => Record<string, string>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  for (let sent = 0; sent < calls; sent += 20) {
    const group = Array.from({ length: Math.min(20, calls - sent) }, (_, index) => get('networks', headers(sent + index)))
    for (const { status } of await Promise.all(group)) counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}

t.test('evm-three withdrawId is an integer from 0 to 255', async (t) => {
  for (const withdrawId of SLOTS) {
    t.match(
      await post('action/withdraw', { address, withdrawId }),
      { status: 400, json: { error: /withdrawId/, code: 'REQUEST_INVALID' } },
      String(withdrawId),
    )
    t.match(
      await post('action/undelegate', { address, amount: 1, withdrawId }),
      { status: 400, json: { error: /withdrawId/ } },
      String(withdrawId),
    )
  }
  for (const withdrawId of ['-1', '256', '1.5', 'x', '%20'])
    t.match(await get(`withdrawal/${address}/${withdrawId}`), { status: 400, json: { code: 'REQUEST_INVALID' } }, withdrawId)
  for (const withdrawId of [0, 255]) t.match(await get(`withdrawal/${address}/${withdrawId}`), { status: 200, json: { withdrawId } })
})

t.test('the range of slots goes from 0 to 255 unless it is narrowed', async (t) => {
  t.match(await get(`withdrawals/${address}`), { status: 200, json: { startWithdrawId: 0, endWithdrawId: 255 } })
  t.match(await get(`withdrawals/${address}?startWithdrawId=9`), { json: { startWithdrawId: 9, endWithdrawId: 255 } })
  t.match(await get(`withdrawals/${address}?endWithdrawId=9`), { json: { startWithdrawId: 0, endWithdrawId: 9 } })
  for (const query of [
    'startWithdrawId=-1',
    'endWithdrawId=256',
    'startWithdrawId=1.5',
    'startWithdrawId=x',
    'startWithdrawId=',
    'startWithdrawId=1&startWithdrawId=2',
    'startWithdrawId=9&endWithdrawId=8',
  ])
    t.match(await get(`withdrawals/${address}?${query}`), { status: 400 }, query)
})

t.test('a key has 200 requests a minute, and the next is 429', async (t) => {
  const key = { 'x-api-key': (await mint('key')).value }
  t.same(await statuses(210, () => key), { 200: 200, 429: 10 })
  const { status, headers, json } = await get('staking-info', key)
  t.equal(status, 429, 'on every endpoint')
  hasShape(t, json, ERROR, 'the refusal')
  t.match(json, { statusCode: 429, message: 'Too Many Requests', code: 'RATE_LIMITED' })
  t.match(headers.get('retry-after'), /^[1-9]\d?$/)
  t.equal(headers.get('x-ratelimit-limit'), '200')
})

t.test('each key has its own', async (t) => {
  const key = { 'x-api-key': (await mint('key')).value }
  t.match(await get('networks', key), { status: 200 })
})

t.test('without a key an address has 60 requests a minute, however its keys are made up', async (t) => {
  t.same(await statuses(70, (index) => (index % 2 === 0 ? stranger : { 'x-api-key': `made up ${index}` })), { 401: 60, 429: 10 })
  t.match(await get('networks', { 'x-forwarded-for': '203.0.113.9' }), { status: 429 }, 'no forwarding header is believed')
  t.match(await get('networks', { 'x-api-key': (await mint('key')).value }), { status: 200 }, 'a valid key from that address still passes')
})

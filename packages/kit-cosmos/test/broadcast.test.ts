import { unavailable } from '@svc/contract'
import t from 'tap'
import { connect, hubOne, hubTwo, nodeOf, RpcError, silent, type Table } from './support/node.ts'
import { one, signedTx, unsignedTx } from './support/vectors.ts'

const HASH = one.stake.txHash
const checked = (code = 0, codespace = '', log = '', hash: string = HASH) => ({ code, codespace, log, data: '', hash })
const landed = {
  hash: HASH,
  height: '7',
  index: 0,
  tx: 'AA==',
  tx_result: { code: 0, data: '', log: '', info: '', gas_wanted: '1', gas_used: '1', events: [], codespace: '' },
}

async function broadcast(table: Table, chain = hubOne, signed_tx_hex = signedTx) {
  const node = nodeOf(table)
  const { kit, ctx } = connect(chain, node)
  return { sent: await kit.broadcast(ctx, { signed_tx_hex }), node, warnings: ctx.log.warnings }
}

t.test('the bytes are sent as they came, and their hash is answered', async (t) => {
  let tx = ''
  const { sent, node } = await broadcast({
    broadcast_tx_sync: (params: { tx: string }) => {
      tx = Buffer.from(params.tx, 'base64').toString('hex')
      return checked()
    },
  })
  t.same(sent, { tx_hash: HASH })
  t.equal(tx, signedTx)
  t.same(node.requests, [1])
  t.same((await broadcast({ broadcast_tx_sync: checked() }, hubOne, `0X${signedTx.toUpperCase()}`)).sent, { tx_hash: HASH })
})

t.test('what is there already is a success with the same hash', async (t) => {
  const known: Table[] = [
    { broadcast_tx_sync: new RpcError('tx already exists in cache') },
    { broadcast_tx_sync: new RpcError('tx already exists in mempool') },
    { broadcast_tx_sync: checked(19, 'sdk', 'tx already in mempool') },
    { broadcast_tx_sync: checked(32, 'sdk', 'account sequence mismatch, expected 8, got 7'), tx: landed },
    { broadcast_tx_sync: checked(3, 'sdk', 'invalid sequence'), tx: landed },
  ]
  for (const table of known) t.same((await broadcast(table)).sent, { tx_hash: HASH })
  const two = (status: string) =>
    broadcast({ broadcast_tx_sync: checked(32, 'sdk', 'mismatch'), tx_status: { height: '7', index: 0, status } }, hubTwo)
  t.same((await two('COMMITTED')).sent, { tx_hash: HASH })
  for (const status of ['UNKNOWN', 'PENDING', 'EVICTED', 'REJECTED'])
    await t.rejects(two(status), { statusCode: 400, code: 'SEQUENCE_USED' }, status)
})

t.test('a sequence that another transaction used is a 400', async (t) => {
  const unknown = [new RpcError('tx (D0BE) not found'), new RpcError('transaction indexing is disabled'), { ...landed, hash: 'AB' }, {}]
  for (const tx of unknown)
    await t.rejects(broadcast({ broadcast_tx_sync: checked(32, 'sdk', 'mismatch'), tx }), { statusCode: 400, code: 'SEQUENCE_USED' })
})

t.test('what the chain refuses is a 400 with what to do', async (t) => {
  const cases: [number, string, string, string][] = [
    [2, 'sdk', 'tx parse error', 'TRANSACTION_INVALID'],
    [4, 'sdk', 'unauthorized', 'SIGNATURE_INVALID'],
    [5, 'sdk', 'insufficient funds', 'INSUFFICIENT_BALANCE'],
    [9, 'sdk', 'unknown address', 'ACCOUNT_UNKNOWN'],
    [11, 'sdk', 'out of gas', 'GAS_LIMIT_TOO_LOW'],
    [13, 'sdk', 'insufficient fee', 'FEE_TOO_LOW'],
    [30, 'sdk', 'tx timeout height', 'TRANSACTION_EXPIRED'],
    [12, 'sdk', 'memo too large', 'CHAIN_REFUSED'],
    [1, 'feemarket', 'no fee coins provided', 'CHAIN_REFUSED'],
    [2, 'feemarket', 'too many fee coins provided', 'CHAIN_REFUSED'],
    [4, 'wasm', 'contract failed', 'CHAIN_REFUSED'],
    [32, 'ibc', 'sequence', 'CHAIN_REFUSED'],
  ]
  for (const [code, codespace, log, expected] of cases)
    await t.rejects(
      broadcast({ broadcast_tx_sync: checked(code, codespace, log) }),
      { statusCode: 400, code: expected },
      `${codespace} ${code}`,
    )
  await t.rejects(broadcast({ broadcast_tx_sync: checked(77, 'sdk', 'strange words') }), { message: /strange words/ })
  await t.rejects(broadcast({ broadcast_tx_sync: checked(77, 'odd', '') }), { message: /code 77 of odd/ })
  await t.rejects(broadcast({ broadcast_tx_sync: new RpcError('tx too large. Max size is 1048576, but got 2000000') }), {
    statusCode: 400,
    code: 'TRANSACTION_INVALID',
  })
})

t.test('a node that could not take it answers 5xx and names the hash', async (t) => {
  const named = new RegExp(HASH)
  for (const entry of [
    new RpcError('mempool is full: number of txs 5000'),
    checked(20, 'sdk', 'mempool is full'),
    new RpcError('mempool is rechecking'),
  ])
    await t.rejects(broadcast({ broadcast_tx_sync: entry }), { statusCode: 503, code: 'MEMPOOL_FULL', retryAfter: 5 })
  await t.rejects(broadcast({ broadcast_tx_sync: new RpcError('endpoint is closed while node is catching up') }), {
    statusCode: 503,
    code: 'UPSTREAM_BEHIND',
    message: named,
    retryAfter: 60,
  })
  await t.rejects(broadcast({ broadcast_tx_sync: {} }), { statusCode: 502, message: named })
  const slow = { fetch: (async () => Promise.reject(unavailable('UPSTREAM_BUSY', 'busy', 3))) as typeof fetch }
  const { kit, ctx } = connect(hubOne, slow)
  await t.rejects(kit.broadcast(ctx, { signed_tx_hex: signedTx }), {
    statusCode: 503,
    code: 'UPSTREAM_BUSY',
    message: named,
    retryAfter: 3,
  })
})

t.test('another hash in the answer is logged, and that of the bytes is answered', async (t) => {
  const { sent, warnings } = await broadcast({ broadcast_tx_sync: checked(0, '', '', 'AB'.repeat(32)) })
  t.same(sent, { tx_hash: HASH })
  t.equal(warnings.length, 1)
})

t.test('what is no signed transaction is not sent', async (t) => {
  const wrong = [
    '',
    '0x',
    'zz',
    signedTx.slice(0, -1),
    signedTx.slice(0, -2),
    `${signedTx}00`,
    unsignedTx,
    `${unsignedTx}1a00`,
    one.stake.body,
    '00'.repeat(9),
  ]
  const { kit, ctx } = connect(hubOne, silent)
  for (const signed_tx_hex of wrong)
    await t.rejects(
      kit.broadcast(ctx, { signed_tx_hex }),
      { statusCode: 400, code: /HEX_INVALID|TRANSACTION_INVALID/ },
      signed_tx_hex.slice(0, 20),
    )
})

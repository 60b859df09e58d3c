import { declareErrors } from '@svc/contract'
import t from 'tap'
import { connect, hubOne, hubTwo, status as live, nodeOf, RpcError, silent, type Table } from './support/node.ts'
import { one, signedTx, two, unsignedTx } from './support/vectors.ts'

const { unavailable } = declareErrors({})

const HASH = one.stake.txHash
const checked = (code = 0, codespace = '', log = '', hash: string = HASH) => ({ code, codespace, log, data: '', hash })
const landed = {
  hash: HASH,
  height: '7',
  index: 0,
  tx: 'AA==',
  tx_result: { code: 0, data: '', log: '', info: '', gas_wanted: '1', gas_used: '1', events: [], codespace: '' },
}

async function broadcast(table: Table, chain = hubOne, signed_tx_hex = signedTx, next?: Table) {
  const node = nodeOf(table)
  const { kit, ctx } = connect(chain, next === undefined ? node : [node, nodeOf(next)])
  return { sent: await kit.broadcast(ctx, { signed_tx_hex }), node }
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
  t.same(node.asked, ['status', 'broadcast_tx_sync'])
  t.same(node.requests, [2], 'in one round trip')
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
  const onTwo = (status: string) =>
    broadcast(
      { status: live(two.chainId), broadcast_tx_sync: checked(32, 'sdk', 'mismatch'), tx_status: { height: '7', index: 0, status } },
      hubTwo,
    )
  t.same((await onTwo('COMMITTED')).sent, { tx_hash: HASH })
  for (const status of ['UNKNOWN', 'PENDING', 'EVICTED', 'REJECTED'])
    await t.rejects(onTwo(status), { statusCode: 400, code: 'SEQUENCE_USED' }, status)
})

t.test('a sequence that another transaction used is a 400', async (t) => {
  const sent = (tx: unknown, next?: unknown) => {
    const table = (tx: unknown) => ({ broadcast_tx_sync: checked(32, 'sdk', 'mismatch'), tx })
    return broadcast(table(tx), hubOne, signedTx, next === undefined ? undefined : table(next))
  }
  const used = { statusCode: 400, code: 'SEQUENCE_USED' }
  await t.rejects(sent(new RpcError('tx (D0BE) not found')), { ...used, message: /another transaction landed meanwhile\. Craft again/ })
  for (const tx of [new RpcError('transaction indexing is disabled'), { ...landed, hash: 'AB' }, {}]) {
    await t.rejects(sent(tx), { ...used, message: /which no node can tell/, txHash: HASH })
    t.same((await sent(tx, landed)).sent, { tx_hash: HASH }, 'another node can tell')
  }
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

t.test('a node that could not take it answers 5xx', async (t) => {
  for (const entry of [
    new RpcError('mempool is full: number of txs 5000'),
    checked(20, 'sdk', 'mempool is full'),
    new RpcError('mempool is rechecking'),
  ])
    await t.rejects(broadcast({ broadcast_tx_sync: entry }), { statusCode: 503, code: 'MEMPOOL_FULL', retryAfter: 5 })
  await t.rejects(broadcast({ broadcast_tx_sync: new RpcError('endpoint is closed while node is catching up') }), {
    statusCode: 503,
    code: 'UPSTREAM_BEHIND',
    retryAfter: 60,
  })
  await t.rejects(broadcast({ broadcast_tx_sync: {} }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  const slow = { fetch: (async () => Promise.reject(unavailable('UPSTREAM_BUSY', 'busy', 3))) as typeof fetch }
  const { kit, ctx } = connect(hubOne, slow)
  await t.rejects(kit.broadcast(ctx, { signed_tx_hex: signedTx }), {
    statusCode: 503,
    code: 'UPSTREAM_BUSY',
    retryAfter: 3,
  })
})

t.test('a node that gives no verdict is followed by the next one', async (t) => {
  const failing: Record<string, Table> = {
    'another hash in the answer': { broadcast_tx_sync: checked(0, '', '', 'AB'.repeat(32)) },
    'no hash': { broadcast_tx_sync: { code: 0 } },
    'a code below zero': { broadcast_tx_sync: checked(-1, 'sdk', 'no') },
    'a code of more than 32 bits': { broadcast_tx_sync: checked(2 ** 32, 'sdk', 'no') },
    'no code': { broadcast_tx_sync: { hash: HASH } },
    nothing: { broadcast_tx_sync: null },
    'a full mempool': { broadcast_tx_sync: new RpcError('mempool is full: number of txs 5000') },
    'a full mempool by code': { broadcast_tx_sync: checked(20, 'sdk', 'mempool is full') },
    'a panic': { broadcast_tx_sync: new RpcError('panic') },
    'another chain': { status: live('provider'), broadcast_tx_sync: checked(4, 'sdk', 'unauthorized') },
    'a node that catches up': { status: live(one.chainId, { catching_up: true }), broadcast_tx_sync: checked(9, 'sdk', 'unknown address') },
  }
  for (const [name, table] of Object.entries(failing)) {
    t.same((await broadcast(table, hubOne, signedTx, { broadcast_tx_sync: checked() })).sent, { tx_hash: HASH }, name)
    await t.rejects(broadcast(table), { statusCode: /50[23]/, code: /MEMPOOL_FULL|UPSTREAM_/ }, name)
  }
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

import type { Upstream } from '@svc/contract/host'
import { SigningKey, Transaction } from 'ethers'
import t, { type Test } from 'tap'
import { evm } from '../src/index.ts'
import { contextOf, type Node, nodeOf, over, RpcError } from './support/node.ts'
import { vector } from './support/vector.ts'

function broadcast(t: Test, node: Node | Upstream, signed: string = vector.signed) {
  const ctx = contextOf(node)
  t.teardown(() => ctx.client.destroy())
  return evm.broadcast(ctx, { signed_tx_hex: signed })
}

const refusing = (message: string, more: Record<string, unknown> = {}) =>
  nodeOf({ eth_sendRawTransaction: new RpcError(-32000, message), ...more })

function signedFor(changes: object): string {
  const from = { type: 0, chainId: 143n, nonce: 1, gasPrice: 1n, gasLimit: 21_000n, to: vector.address, value: 1n }
  const transaction = Transaction.from({ ...from, ...changes })
  transaction.signature = new SigningKey(vector.key).sign(transaction.unsignedHash)
  return transaction.serialized
}

t.test('a signed transaction is sent as it is, and its hash answered', async (t) => {
  let sent = ''
  const node = nodeOf({
    eth_sendRawTransaction([raw]: [string]) {
      sent = raw
      return vector.txHash
    },
  })
  t.same(await broadcast(t, node), { tx_hash: vector.txHash })
  t.equal(sent, vector.signed)
  t.same(await broadcast(t, node, vector.signed.slice(2).toUpperCase()), { tx_hash: vector.txHash }, 'without 0x too')
  t.equal(sent, vector.signed)
})

t.test('a typed transaction of the chain is sent too', async (t) => {
  const signed = signedFor({ type: 2, gasPrice: null, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })
  t.same(await broadcast(t, nodeOf({ eth_sendRawTransaction: () => Transaction.from(signed).hash }), signed), {
    tx_hash: Transaction.from(signed).hash,
  })
})

t.test("another chain's transaction is refused before anything is sent", async (t) => {
  const node = nodeOf({})
  const refused = { statusCode: 400, code: 'CHAIN_ID_MISMATCH' }
  await t.rejects(broadcast(t, node, signedFor({ chainId: 1n })), {
    ...refused,
    message: /is for chain 1; this request goes to chain 143\. It was not sent/,
  })
  await t.rejects(broadcast(t, node, signedFor({ chainId: 10_143n })), refused)
  await t.rejects(broadcast(t, node, signedFor({ chainId: 0n })), { ...refused, message: /names no chain \(it predates EIP-155\)/ })
  t.same(node.asked, [])
})

t.test('what is no signed transaction is refused before anything is sent', async (t) => {
  const node = nodeOf({})
  await t.rejects(broadcast(t, node, vector.serialized), { statusCode: 400, code: 'TRANSACTION_INVALID', message: /is not signed/ })
  await t.rejects(broadcast(t, node, vector.signed.slice(0, -2)), { statusCode: 400, code: 'TRANSACTION_INVALID' })
  await t.rejects(broadcast(t, node, `${vector.signed}00`), { statusCode: 400, code: 'TRANSACTION_INVALID' })
  await t.rejects(broadcast(t, node, 'hello'), { statusCode: 400, code: 'HEX_INVALID' })
  t.same(node.asked, [])
})

t.test('a transaction that the node has already answers its hash', async (t) => {
  for (const message of [
    'already known',
    'ALREADY_EXISTS: already known',
    'transaction already imported',
    'known transaction: ad5d',
    'Transaction already exists',
  ])
    t.same(await broadcast(t, refusing(message)), { tx_hash: vector.txHash }, message)
})

t.test('a nonce that was used by this very transaction answers its hash', async (t) => {
  let looked = ''
  const node = refusing('Transaction nonce too low', {
    eth_getTransactionByHash([hash]: [string]) {
      looked = hash
      return { hash }
    },
  })
  t.same(await broadcast(t, node), { tx_hash: vector.txHash })
  t.equal(looked, vector.txHash)
})

t.test('whether a used nonce is of this very transaction is asked of every endpoint', async (t) => {
  const unknown = refusing('nonce too low', { eth_getTransactionByHash: null })
  const holder = nodeOf({ eth_getTransactionByHash: { hash: vector.txHash } })
  t.same(await broadcast(t, over(unknown, holder)), { tx_hash: vector.txHash })
  const first = refusing('nonce too low', { eth_getTransactionByHash: { hash: vector.txHash } })
  t.same(await broadcast(t, over(first, nodeOf({}))), { tx_hash: vector.txHash }, 'who has it is asked alone')
  await t.rejects(broadcast(t, over(unknown, nodeOf({ eth_getTransactionByHash: null }))), { code: 'NONCE_USED' }, 'none has it')
})

t.test('a nonce that is used is a refusal that advises no other transaction', async (t) => {
  for (const message of ['nonce too low', 'nonce too low: next nonce 5, tx nonce 0', 'nonce has already been used'])
    await t.rejects(
      broadcast(t, refusing(message, { eth_getTransactionByHash: null })),
      { statusCode: 400, code: 'NONCE_USED', txHash: vector.txHash, message: /look tx_hash up before you make another/ },
      message,
    )
})

t.test("a refusal of another kind is passed on in the node's words, cut", async (t) => {
  await t.rejects(broadcast(t, refusing('oversized data')), {
    statusCode: 400,
    code: 'CHAIN_REFUSED',
    message: 'The chain refused the transaction: oversized data.',
  })
  await t.rejects(broadcast(t, refusing('x'.repeat(5000))), { code: 'CHAIN_REFUSED', message: /^.{0,260}$/ })
})

t.test('a busy node is 503, to be tried again', async (t) => {
  for (const message of ['concurrent requests limit', 'daily request count exceeded, request rate limited', 'Too Many Requests'])
    await t.rejects(broadcast(t, refusing(message)), { statusCode: 503, code: 'UPSTREAM_BUSY', retryAfter: 5 }, message)
})

t.test('a node that answers nonsense is 502', async (t) => {
  for (const reply of [{ jsonrpc: '2.0', id: 1 }, null, 7, [], { error: null }, new Response('<html>')])
    await t.rejects(
      broadcast(
        t,
        nodeOf({}, () => (reply instanceof Response ? reply.clone() : reply === null ? new Response('null') : reply)),
      ),
      { statusCode: 502, code: 'UPSTREAM_ERROR' },
      JSON.stringify(reply),
    )
})

t.test('an answer that is not the hash of the bytes says nothing of what became of them', async (t) => {
  for (const answer of [`0x${'0'.repeat(64)}`, null, 7, {}, ''])
    await t.rejects(broadcast(t, nodeOf({ eth_sendRawTransaction: answer })), { statusCode: 502, code: 'UPSTREAM_ERROR' }, String(answer))
  t.same(await broadcast(t, nodeOf({ eth_sendRawTransaction: vector.txHash.toUpperCase().replace('0X', '0x') })), {
    tx_hash: vector.txHash,
  })
})

t.test('a node that could not judge the transaction is no verdict, and a full one is 503', async (t) => {
  for (const [code, message] of [
    [-32_601, 'the method eth_sendRawTransaction does not exist'],
    [-32_603, 'internal error'],
    [-32_700, 'parse error'],
    [-32_000, ''],
  ] as const)
    await t.rejects(
      broadcast(t, nodeOf({ eth_sendRawTransaction: new RpcError(code, message) })),
      { statusCode: 502, code: 'UPSTREAM_ERROR' },
      String(code),
    )
  t.same(await broadcast(t, nodeOf({ eth_sendRawTransaction: new RpcError(-32_603, 'already known') })), { tx_hash: vector.txHash })
  await t.rejects(broadcast(t, refusing('txpool is full')), { statusCode: 503, code: 'MEMPOOL_FULL', retryAfter: 5 })
})

t.test('nothing is sent through a node of another chain', async (t) => {
  const node = nodeOf({ eth_chainId: '0x1', eth_sendRawTransaction: vector.txHash })
  await t.rejects(broadcast(t, node), { statusCode: 502, code: 'UPSTREAM_OTHER_CHAIN' })
  t.same(node.asked, [])
})

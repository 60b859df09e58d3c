import { type TransactionLike, Wallet } from 'ethers'
import t from 'tap'
import { life } from './support/life.ts'
import { contextOf, nodeOf, over } from './support/node.ts'
import { shown, signedBy } from './support/shown.ts'

const wallet = new Wallet(`0x${'11'.repeat(32)}`)
const own = await signedBy(wallet)
const hash = String(own.hash)

/** What is read of a transaction from endpoints that show it so, one after the other. */
async function read(txHash: string, ...answers: readonly unknown[]) {
  const nodes = answers.map((answer) => nodeOf({ eth_getTransactionByHash: () => answer }))
  const ctx = contextOf(over(...nodes), { max_block_age: 0 })
  try {
    return { bytes: await life.signed?.(ctx, txHash), asked: nodes.flatMap(({ asked }) => asked.length) }
  } finally {
    ctx.client.destroy()
  }
}

t.test('the signed bytes of a transaction are written anew from what a node shows of it, in one call', async (t) => {
  for (const [what, changes] of [
    ['of type 0', {}],
    ['of type 1', { type: 1, accessList: [] }],
    ['of type 2', { type: 2, gasPrice: undefined, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, accessList: [] }],
    ['that makes a contract', { to: null, data: '0x00', gasLimit: 90_000n }],
  ] as const) {
    const transaction = await signedBy(wallet, changes as TransactionLike)
    t.same(await read(String(transaction.hash), shown(transaction)), { bytes: { signed_tx_hex: transaction.serialized }, asked: [1] }, what)
  }
})

t.test('bytes that have not the hash which was asked for are those of nobody, and the next endpoint is asked', async (t) => {
  const right = { signed_tx_hex: own.serialized }
  const other = await signedBy(wallet, { value: 6n })
  for (const [what, lie] of [
    ['another transaction', shown(other)],
    ['another transaction under this hash', shown(other, { hash })],
    ['another value', shown(own, { value: '0x6' })],
    ['a form of its own', { hash }],
    ['nothing', null],
  ] as const)
    t.same(await read(hash, lie, shown(own)), { bytes: right, asked: [1, 1] }, what)
  await t.rejects(read(hash, shown(other), shown(other)), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

t.test('what no endpoint shows is not there yet, and of a type that does more than call nothing is read', async (t) => {
  await t.rejects(read(hash, null, null), { statusCode: 503, code: 'TRANSACTION_UNSEEN' })
  for (const type of [3, 4])
    await t.rejects(read(hash, shown(own, { type: `0x${type}` })), {
      statusCode: 400,
      code: 'TRANSACTION_INVALID',
      message: `The transaction is of type ${type}, which does more than call; what it does is read of a legacy one, and of type 1 or 2.`,
    })
})

import { membersOf } from '@svc/contract'
import { recording, recordings } from '@svc/testing/recordings'
import t, { type Test } from 'tap'
import { life } from './support/life.ts'
import { contextOf, nodeOf, RpcError } from './support/node.ts'

const geth = (name: string) => membersOf(recording('geth', name).response.body)
const HEAD = 4_000
const hex = (number: number) => `0x${number.toString(16)}`

/** What a node answers, word for word as recorded. */
function answerOf(name: string): unknown {
  const { result, error } = geth(name)
  const { code, message } = membersOf(error)
  return error === undefined ? result : new RpcError(Number(code), String(message))
}

/** Where a transaction stands by recorded answers. The blocks are recorded as well; which numbers and hashes they have is put into them. */
async function told(t: Test, tx: string, receipt: string, final: number | 'none' = HEAD - 2) {
  const asked = membersOf(recording('geth', tx).request.body).params as readonly [string]
  const { blockNumber, blockHash } = membersOf(geth(receipt).result)
  const block = membersOf(geth('block-latest').result)
  const ctx = contextOf(
    nodeOf({
      eth_chainId: '0x1',
      eth_getBlockByNumber([tag = '']: readonly string[]) {
        if (tag === 'finalized') return final === 'none' ? answerOf('block-finalized-none') : { ...block, number: hex(final) }
        return tag === 'latest' ? { ...block, number: hex(HEAD) } : tag === blockNumber ? { ...block, number: tag, hash: blockHash } : null
      },
      eth_getTransactionByHash: () => answerOf(tx),
      eth_getTransactionReceipt: () => answerOf(receipt),
      eth_call: () => answerOf('call-out-of-gas'),
    }),
    { chainId: '1', max_block_age: 0 },
  )
  t.teardown(() => ctx.client.destroy())
  const subject = { txHash: asked[0], bounds: null, keep: null, firstSeen: null, accepted: false }
  return life.look(ctx, subject).then(
    ({ status, finality, fee, error }) => ({ status, finality, fee, error: error?.code ?? null }),
    ({ code }: { code: string }) => code,
  )
}

t.test('what a geth answered of a transaction is told as it was', async (t) => {
  const nowhere = { status: 'unknown', finality: 'none', fee: null, error: null }
  const waits = { ...nowhere, status: 'pending' }
  const paid = {
    status: 'final',
    finality: 'final',
    fee: 21_000n * BigInt(String(membersOf(geth('receipt-mined').result).effectiveGasPrice)),
    error: null,
  }
  const failed = { status: 'failed', finality: 'final', fee: 100_000n * 3_000_000_000n, error: 'OUT_OF_GAS' }
  const table = [
    ['tx-mined', 'receipt-mined', paid],
    ['tx-mined', 'receipt-pending', 'UPSTREAM_BEHIND'],
    ['tx-failed', 'receipt-out-of-gas', failed],
    ['tx-pending', 'receipt-pending', waits],
    ['tx-queued', 'receipt-pending', waits],
    // Recorded at another time than the block, whose base fee is above its price.
    ['tx-after-reorg', 'receipt-after-reorg', { ...waits, error: 'FEE_TOO_LOW' }],
    ['tx-unknown', 'receipt-unknown', nowhere],
    ['tx-not-indexed', 'receipt-not-indexed', nowhere],
    ['tx-replaced-in-pool', 'receipt-unknown', nowhere],
    ['tx-unknown', 'receipt-after-kill', nowhere],
  ] as const
  for (const [tx, receipt, wanted] of table) t.same(await told(t, tx, receipt), wanted, `${tx}, ${receipt}`)
  t.same(await told(t, 'tx-mined', 'receipt-mined', 'none'), { ...paid, status: 'included', finality: 'included' }, 'without a final block')
  t.same(await told(t, 'tx-pending', 'receipt-pending', 'none'), waits, 'and while it waits')
  const read = [...recordings('geth').keys()].filter((name) => /^(tx|receipt)-/.test(name))
  // Of the one that reverted the transaction itself was not recorded.
  const looked = new Set<string>([...table.flatMap(([tx, receipt]) => [tx as string, receipt]), 'receipt-reverted'])
  t.same(
    read.filter((name) => !looked.has(name)),
    [],
    'each recorded transaction and receipt is told',
  )
})

t.test('what a geth answered of numbers and blocks is read, or refused with its reason', async (t) => {
  const verdict = async (name: string, ask: (client: ReturnType<typeof contextOf>['client']) => Promise<unknown>) => {
    const { method } = membersOf(recording('geth', name).request.body)
    const ctx = contextOf(nodeOf({ eth_chainId: '0x1', [String(method)]: () => answerOf(name) }), { chainId: '1', max_block_age: 0 })
    t.teardown(() => ctx.client.destroy())
    return ask(ctx.client).catch((error: { code: string }) => error.code)
  }
  const count = (name: string) => verdict(name, (client) => client.quantity('eth_getTransactionCount', []))
  for (const [name, wanted] of [
    ['count-by-number', 0n],
    ['count-finalized', 1n],
    ['count-finalized-none', 'NO_FINAL_BLOCK'],
    ['count-future', 'UPSTREAM_ERROR'],
    ['count-old-block', 'UPSTREAM_ERROR'],
    ['count-pending-gap', 0n],
  ] as const)
    t.same(await count(name), wanted, name)
  t.same(await verdict('gas-price', (client) => client.quantity('eth_gasPrice', [])), 0x28613dn)
  t.match(await verdict('block-latest', (client) => client.head()), { number: 0x30n, timestamp: 0x6b040901n })
  for (const name of ['block-future', 'block-finalized-none', 'block-bad-number', 'block-pending'])
    t.type(await verdict(name, (client) => client.head()), 'string', `${name} is no head`)
})

import type { Sighting, Subject } from '@svc/contract'
import { AbiCoder } from 'ethers'
import t from 'tap'
import { bounds, early, hex, type LifeNode, life, nonce, seen, signed, subject, tableOf, time, word } from './support/life.ts'
import { contextOf, network, nodeOf, RpcError } from './support/node.ts'
import { vector } from './support/vector.ts'

const { hash, look, validUntil } = life
const GONE = { head: 200, final: 198, used: [1, 1, 1] } as const

t.test('a hash in its one form, and bounds from the bytes', async (t) => {
  t.equal(hash(vector.txHash.toUpperCase().replace('0X', '0x')), vector.txHash)
  for (const text of ['', '0x', vector.txHash.slice(2), `${vector.txHash}0`, vector.address])
    t.throws(() => hash(text), { code: 'TX_HASH_INVALID', statusCode: 400 })
  t.same(bounds.validUntil, { kind: 'nonce', value: String(nonce), estimatedAt: null })
  t.equal(bounds.wallet, signed.from)
  t.same(validUntil({ serialized_tx_hex: vector.serialized } as never, network, {}, new Date(0)), bounds.validUntil)
})

t.test('where it stands, by what a node has', async (t) => {
  const kept = await early()
  const table: readonly (readonly [string, LifeNode, Partial<Subject>, Partial<Sighting<unknown>>])[] = [
    ['in a block above the final one', { at: 99 }, {}, { status: 'included', finality: 'included', certainty: 'proven' }],
    ['in a block that is final', { at: 98 }, {}, { status: 'final', finality: 'final', certainty: 'proven' }],
    ['its hash alone, in a final block', { at: 90 }, { bounds: null, accepted: false }, { status: 'final' }],
    [
      'final by its height, with another block there',
      { at: 90, fork: (n) => word(n + 1) },
      {},
      { status: 'included', certainty: 'likely' },
    ],
    ['failed', { at: 99, receipt: { status: '0x0', logs: [] } }, {}, { status: 'failed', finality: 'included' }],
    ['failed for good', { at: 90, receipt: { status: '0x0', logs: [] } }, {}, { status: 'failed', finality: 'final' }],
    ['in the pool', { at: 'pool' }, {}, { status: 'pending', certainty: 'proven' }],
    ['nowhere, but a node took it', {}, {}, { status: 'pending', certainty: 'likely' }],
    ['nowhere, and nobody sent it here', {}, { accepted: false }, { status: 'unknown' }],
    ['nowhere, and its hash alone is known', { used: [1, 1, 1] }, { bounds: null, accepted: false }, { status: 'unknown' }],
    ['its nonce used by the newest block alone', { ...GONE, used: [1, 0, 0] }, { keep: kept }, { status: 'pending', certainty: 'likely' }],
    ['its nonce used by a final block', GONE, { keep: kept }, { status: 'replaced', certainty: 'proven', finality: 'none' }],
    ['its nonce used by a final block, and not by that of its number', { ...GONE, used: [1, 1, 0] }, { keep: kept }, { status: 'pending' }],
    ['used, of one that was only tracked', GONE, { keep: kept, accepted: false }, { status: 'replaced', certainty: 'proven' }],
    [
      'a final block that has used more than the newest',
      { ...GONE, used: [0, 1, 1] },
      { keep: kept },
      { status: 'pending', certainty: 'likely' },
    ],
    ['a used nonce, and it was not free at the first look', GONE, { accepted: false }, { status: 'unknown' }],
    [
      'a used nonce, and another chain of blocks',
      { ...GONE, fork: (n) => word(n + 1) },
      { keep: kept, accepted: false },
      { status: 'unknown' },
    ],
  ]
  for (const [what, node, known, told] of table) t.match(await seen(node, known), told, what)
})

t.test('one that waits at a price below what a block takes says so', async (t) => {
  const inPool = (price: object, baseFeePerGas?: string) => {
    const node: LifeNode = { at: 'pool', sent: price }
    const { eth_getBlockByNumber: blockOf } = tableOf(node)
    const more = {
      eth_getBlockByNumber(asked: readonly string[]) {
        const block = blockOf(asked)
        return block && (baseFeePerGas === undefined ? block : { ...block, baseFeePerGas })
      },
    }
    return seen({ ...node, more })
  }
  const gwei = 10n ** 9n
  const [low, high] = [hex(gwei / 2n), hex(100n * gwei)]
  t.match(await inPool({ gasPrice: low }, high), {
    status: 'pending',
    certainty: 'proven',
    error: { code: 'FEE_TOO_LOW', reason: /^It pays at most 0\.5 gwei for a unit of gas, and a block takes no less than 100 at present\./ },
  })
  t.match(await inPool({ gasPrice: hex(100n * gwei - 1n) }, high), { error: { code: 'FEE_TOO_LOW' } })
  t.match(await inPool({ gasPrice: low, maxFeePerGas: high }, high), { status: 'pending', error: null })
  for (const [price, fee] of [
    [{ gasPrice: high }, high],
    [{ gasPrice: low }, undefined],
    [{}, high],
  ] as const)
    t.match(await inPool(price, fee), { status: 'pending', certainty: 'proven', error: null })
})

t.test('a node that has forgotten says nothing of what it had', async (t) => {
  const keep = await early()
  const unseen = { statusCode: 503, code: 'TRANSACTION_UNSEEN' }
  await t.rejects(seen({ ...GONE, first: 150 }, { keep }), unseen, 'its blocks begin after the first look')
  const { eth_getTransactionByHash: _, ...rest } = tableOf(GONE)
  const ctx = contextOf(nodeOf({ ...rest, eth_getTransactionByHash: null }), { max_block_age: 0 })
  t.teardown(() => ctx.client.destroy())
  await t.rejects(look(ctx, subject({ keep })), unseen, 'it has the blocks and looks nothing up in them')
  await t.rejects(seen({ ...GONE, head: 60_000, final: 59_998 }, { keep }), unseen, 'longer ago than what is looked up everywhere')
  t.match(await seen({ ...GONE, head: 60_000, final: 59_998 }, { keep }, { index_depth: 100_000 }), { status: 'replaced' })
})

t.test('one that was taken and overtaken before the first look is proven from a block of before', async (t) => {
  const firstSeen = new Date(time(150) * 1000)
  const node: LifeNode = { head: 60_000, final: 59_998, used: [1, 1, 1] }
  const first = await seen(node, { firstSeen: new Date(time(59_000) * 1000) })
  t.match(first, { status: 'pending', certainty: 'likely', keep: { height: '35998' } })
  t.match(await seen(node, { firstSeen, keep: first.keep }), { status: 'replaced' })
  await t.rejects(seen(node, { firstSeen }), { code: 'TRANSACTION_UNSEEN' }, 'sent before that block')
})

t.test('a transaction that lands between two readings of a look is not overtaken', async (t) => {
  const keep = await early()
  let asked = 0
  const late = tableOf({ ...GONE, at: 150 })
  const before = tableOf(GONE)
  const ctx = contextOf(
    nodeOf({
      ...late,
      eth_getTransactionReceipt: () => (asked++ === 0 ? before : late).eth_getTransactionReceipt(),
      eth_getTransactionByHash: (params: readonly string[]) => (asked <= 1 ? before : late).eth_getTransactionByHash(params),
    }),
    { max_block_age: 0 },
  )
  t.teardown(() => ctx.client.destroy())
  t.match(await look(ctx, subject({ keep })), { status: 'pending', certainty: 'likely' })
  t.match(await look(ctx, subject({ keep })), { status: 'final' })
})

t.test('a block that comes between the answers of a batch is seen when they are asked for again, once', async (t) => {
  const [pooled, included] = [tableOf({ at: 'pool' }), tableOf({ at: 99 })]
  const methods = ['eth_getTransactionReceipt', 'eth_getTransactionByHash'] as const
  for (const late of [...methods, null]) {
    const node = nodeOf({
      ...included,
      // The first answer of this method is from before the block.
      ...(late ? { [late]: () => (node.asked.filter((method) => method === late).length === 1 ? pooled : included)[late]([]) } : {}),
    })
    const ctx = contextOf(node, { max_block_age: 0 })
    t.teardown(() => ctx.client.destroy())
    t.match(await look(ctx, subject()), { status: 'included', certainty: 'proven' }, `late: ${late}`)
    t.equal(node.asked.filter((method) => method === methods[0]).length, late ? 2 : 1)
  }
})

t.test('a chain whose head is called final: some blocks more', async (t) => {
  const keep = await early()
  const eight = { final_after: 8 }
  t.match(await seen({ head: 100, final: 100, at: 93 }, {}, eight), { status: 'included' })
  t.match(await seen({ head: 101, final: 101, at: 93 }, {}, eight), { status: 'final' })
  const since = (block: number) => ({
    eth_getTransactionCount: ([, at = '']: readonly string[]) => hex(nonce + (at.startsWith('0x') && Number(at) < block ? 0 : 1)),
  })
  t.match(await seen({ head: 200, final: 200, used: [1, 1, 1], more: since(193) }, { keep }, eight), {
    status: 'pending',
    certainty: 'likely',
  })
  t.match(await seen({ head: 200, final: 200, used: [1, 1, 1], more: since(192) }, { keep }, eight), { status: 'replaced' })
})

t.test('a pool that is seen through one method only', async (t) => {
  const asking = { txpool_status: true }
  const saying = (txpool_statusByHash: unknown) => ({ more: { txpool_statusByHash } })
  t.match(await seen(saying({ status: 'tracked' }), {}, asking), { status: 'pending', certainty: 'proven' })
  t.match(await seen(saying({ status: 'evicted' }), {}, asking), { status: 'pending', certainty: 'likely' })
  t.match(await seen(saying(new RpcError(-32_601, 'Method not found')), {}, asking), { status: 'pending', certainty: 'likely' })
  t.match(await seen(saying(new RpcError(-32_603, 'Unknown tx hash')), { accepted: false }, asking), { status: 'unknown' })
})

t.test('what was paid, and what was written down', async (t) => {
  const { fee, receipt, block, lookedAt } = await seen({ at: 90 })
  t.equal(fee, 21_000n * (signed.gasPrice ?? 0n))
  t.same(block, { height: 90n, hash: word(90), time: new Date(time(90) * 1000) })
  t.equal(lookedAt, 100n)
  const to = signed.to?.toLowerCase() ?? null
  const logs = [{ address: to, topics: [word(1)], data: '0x' }]
  t.same(receipt, { from: bounds.wallet.toLowerCase(), to, value: signed.value, logs })
})

t.test('a node that has what was accepted neither in a block nor in its pool says so, where it would show it', async (t) => {
  t.match(await seen({}), { status: 'pending', certainty: 'likely', held: false, validUntil: bounds.validUntil })
  t.match(await seen({}, { bounds: null, accepted: false }), { validUntil: null })
  t.equal((await seen({ at: 'pool' })).held, undefined)
  t.equal((await seen({}, { accepted: false })).held, undefined)
  t.equal((await seen({}, {}, { txpool_status: true })).held, null, 'a pool that is not shown')
  t.equal((await seen({ used: [1, 0, 0] })).held, undefined, 'its nonce is used in the newest block')
})

t.test('before the chain has a final block, what is there is told, and nothing is ever over', async (t) => {
  const none = new RpcError(-32_000, 'finalized block not found')
  const young = (node: LifeNode, known: Partial<Subject> = {}) => {
    const table = tableOf(node)
    const blocks = table.eth_getBlockByNumber as (params: readonly string[]) => unknown
    const counts = table.eth_getTransactionCount as (params: readonly string[]) => unknown
    const more = {
      eth_getBlockByNumber: (params: readonly string[]) => (params[0] === 'finalized' ? none : blocks(params)),
      eth_getTransactionCount: (params: readonly string[]) => (params[1] === 'finalized' ? none : counts(params)),
    }
    return seen({ ...node, more }, known)
  }
  t.match(await young({ at: 'pool' }), { status: 'pending', certainty: 'proven', finality: 'none' })
  t.match(await young({ at: 99 }), { status: 'included', finality: 'included', certainty: 'proven' })
  t.match(await young({ at: 99, receipt: { status: '0x0', logs: [] } }), { status: 'failed', finality: 'included' })
  await t.rejects(young({ at: 99, receipt: null }), { code: 'UPSTREAM_BEHIND' }, 'in a block, and no receipt')
  t.match(await young({ used: [1, 1, 1] }), { status: 'pending', certainty: 'likely', finality: 'none' })
  t.match(await young({}, { accepted: false }), { status: 'unknown', validUntil: bounds.validUntil })
  t.match(await young({}, { accepted: false, bounds: null }), { status: 'unknown', validUntil: null })
  const keep = await early()
  t.same((await young({ used: [1, 1, 1] }, { keep })).keep, keep, 'what was seen first is kept over a start of the node')
})

t.test('a failure says what ended it', async (t) => {
  const failed = (eth_call: unknown, gasUsed?: string) =>
    seen({ at: 97, receipt: { status: '0x0', logs: [], ...(gasUsed ? { gasUsed } : {}) }, more: { eth_call } })
  const all = `0x${signed.gasLimit.toString(16)}`
  const outOfGas = { code: 'OUT_OF_GAS', reason: new RegExp(`gas limit of ${signed.gasLimit}, and nothing of it took place`) }
  t.match((await failed(new RpcError(-32_000, 'out of gas'), all)).error, outOfGas)
  t.match(
    (await failed('0x', all)).error,
    { code: 'REVERTED', reason: /not available any more/ },
    'gas alone says nothing where the limit is charged',
  )
  t.match((await failed(new RpcError(-32_000, 'invalid opcode: INVALID'), all)).error, {
    code: 'REVERTED',
    reason: 'It failed: it meets an invalid instruction.',
  })
  t.match((await failed(new RpcError(3, 'execution reverted', '0x'))).error, {
    code: 'REVERTED',
    reason: 'The contract refused it, and gave no reason.',
  })
})

t.test('why it failed, by running it again on the block before', async (t) => {
  const reverted = `0x08c379a0${AbiCoder.defaultAbiCoder().encode(['string'], ['the pool is full']).slice(2)}`
  const why = async (eth_call: unknown) => (await seen({ at: 90, receipt: { status: '0x0', logs: [] }, more: { eth_call } })).error
  let block = ''
  const told = await why(([, at]: readonly string[]) => {
    block = String(at)
    return new RpcError(3, 'execution reverted', reverted)
  })
  t.same(told, { code: 'REVERTED', reason: 'The contract refused it: the pool is full.', data: reverted })
  t.equal(block, hex(89))
  const untold = { code: 'REVERTED', reason: /not available/ }
  t.match(await why('0x'), untold, 'it would not fail now')
  t.match(await why(new RpcError(-32_000, 'missing trie node')), untold, 'the state of then is gone')
})

t.test('answers that cannot be are none', async (t) => {
  const elsewhere = { statusCode: 502, code: 'UPSTREAM_ERROR' }
  for (const [what, node] of [
    ['the receipt of another', { at: 90, receipt: { transactionHash: word(5) } }],
    ['of another sender', { at: 90, receipt: { from: vector.address.replace(/^0x./, '0x0') } }],
    ['neither success nor failure', { at: 90, receipt: { status: '0x2' } }],
    ['no status', { at: 90, receipt: { status: undefined } }],
    ['events of what failed', { at: 90, receipt: { status: '0x0' } }],
    ['no gas', { at: 90, receipt: { gasUsed: '0x0' } }],
    ['a price beyond any', { at: 90, receipt: { effectiveGasPrice: hex(1n << 200n) } }],
    ['a transaction with another nonce', { at: 90, sent: { nonce: hex(nonce + 1) } }],
    ['a nonce beyond any', { used: [2 ** 50, 0, 0] }],
    ['a transaction that does not say whether it is in a block', { at: 'pool', sent: { blockNumber: undefined } }],
    ['an event that does not say whose it is', { at: 90, receipt: { logs: [{ address: signed.to, topics: [], data: '0x' }] } }],
  ] as const satisfies readonly (readonly [string, LifeNode])[])
    await t.rejects(seen(node), elsewhere, what)
  const behind = { statusCode: 503, code: 'UPSTREAM_BEHIND' }
  for (const [what, node] of [
    ['in a block, and no receipt', { at: 90, receipt: null }],
    ['a receipt from far above the head', { at: 90, receipt: { blockNumber: hex(500) }, sent: { blockNumber: hex(500) } }],
    ['a receipt, and no transaction', { at: 90, sent: null }],
    ['in two blocks at once', { at: 90, receipt: { blockNumber: hex(91) } }],
    ['more gas than was allowed', { at: 90, receipt: { gasUsed: hex(signed.gasLimit + 1n) } }],
  ] as const satisfies readonly (readonly [string, LifeNode])[])
    await t.rejects(seen(node), behind, what)
})

t.test('how soon it is looked at again is what the settings say of its chain', async (t) => {
  t.equal(life.inclusionMs?.({ ...network, inclusion_ms: 12_000 }), 12_000)
})

import { type TransactionLike, Wallet } from 'ethers'
import t from 'tap'
import { early, hex, life, nonce, subject, tableOf } from './support/life.ts'
import { contextOf, network, nodeOf, RpcError } from './support/node.ts'
import { shown, signedBy } from './support/shown.ts'

const wallet = new Wallet(`0x${'11'.repeat(32)}`)
const stranger = new Wallet(`0x${'22'.repeat(32)}`)
const GONE = { head: 200, final: 198, used: [1, 1, 1] } as const

const own = await signedBy(wallet)
const bounds = life.bounds({ signed_tx_hex: own.serialized }, network)

/** What a look tells of a transaction whose nonce a final block has used, where the nodes hold states and that block. */
async function replacedAt(
  height: number,
  transactions: readonly object[],
  more: Record<string, unknown> = {},
  head: number = GONE.head,
  of = bounds,
) {
  const table = tableOf({ ...GONE, head, final: head - 2 })
  const node = nodeOf({
    ...table,
    eth_getTransactionCount: ([, tag = '']: readonly string[]) => hex(nonce + (tag.startsWith('0x') && Number(tag) < height ? 0 : 1)),
    eth_getBlockByNumber: ([tag = '', whole]: readonly [string, boolean]) => {
      const block = table.eth_getBlockByNumber([tag])
      return whole && block ? { ...block, transactions } : block
    },
    ...more,
  })
  const ctx = contextOf(node, { max_block_age: 0, index_depth: 100_000 })
  try {
    const sighting = await life.look(ctx, subject({ txHash: own.hash!, bounds: of, keep: await early() }))
    return { sighting, node }
  } finally {
    ctx.client.destroy()
  }
}

t.test('whoever used the nonce is named, from the block in which it did', async (t) => {
  for (const [what, changes] of [
    ['of type 0', { value: 6n }],
    ['of type 1', { type: 1, accessList: [] }],
    ['of type 2', { type: 2, gasPrice: undefined, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, accessList: [] }],
    ['that makes a contract', { to: null, data: '0x00', gasLimit: 90_000n }],
  ] as const) {
    const rival = await signedBy(wallet, changes as TransactionLike)
    const others = [shown(await signedBy(stranger)), shown(await signedBy(wallet, { nonce: nonce + 2 }))]
    const { sighting } = await replacedAt(150, [...others, shown(rival)])
    t.match(sighting, { status: 'replaced', certainty: 'proven', replacedBy: rival.hash, keep: { rival: rival.hash } }, what)
  }
})

t.test('a rival that does the same is told to, by what its sender has signed, and any other one is not', async (t) => {
  for (const [what, changes, same] of [
    ['the same at another price', { gasPrice: 9n }, true],
    ['the same with another gas limit', { gasLimit: 30_000n }, true],
    ['the same in another type', { type: 2, gasPrice: undefined, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n, accessList: [] }, true],
    ['another value', { value: 6n }, false],
    ['another contract', { to: stranger.address }, false],
    ['other data', { data: '0x01' }, false],
    ['a contract of its own', { to: null, data: '0x00', gasLimit: 90_000n }, false],
  ] as const) {
    const rival = await signedBy(wallet, changes as TransactionLike)
    const { sighting } = await replacedAt(150, [shown(rival)])
    t.match(sighting, { status: 'replaced', replacedBy: rival.hash, replacedBySame: same }, what)
    const node = nodeOf({ ...tableOf(GONE) })
    const ctx = contextOf(node, { max_block_age: 0 })
    t.match(await life.look(ctx, subject({ txHash: own.hash!, bounds, keep: sighting.keep })), { replacedBySame: same }, `${what}, kept`)
    ctx.client.destroy()
  }
})

t.test(
  'a node that shows another one as the same is not believed, and of bounds that do not say what theirs does nothing is told',
  async (t) => {
    const other = await signedBy(wallet, { value: 6n })
    const lie = shown(other, { value: hex(5n) })
    t.match((await replacedAt(150, [lie])).sighting, { replacedBy: null }, 'its signature is not over that')
    const { does: _does, ...facts } = bounds.facts
    const again = await signedBy(wallet, { gasPrice: 9n })
    t.match((await replacedAt(150, [shown(again)], {}, GONE.head, { ...bounds, facts })).sighting, {
      replacedBy: again.hash,
      replacedBySame: null,
    })
  },
)

t.test('wherever the block is, in three waves and 121 calls at most', async (t) => {
  const rival = await signedBy(wallet, { value: 6n })
  for (const head of [101, 200, 60_000])
    for (const height of [99, 100, Math.floor(head / 2) + 50, head - 2]) {
      if (height > head - 2) continue
      const { sighting, node } = await replacedAt(height, [shown(rival)], {}, head)
      t.equal(sighting.replacedBy, rival.hash, `in block ${height} of ${head}`)
      const counts = node.asked.filter((method) => method === 'eth_getTransactionCount').length
      t.ok(counts <= 121 + 3, `${counts} counts`)
    }
})

t.test('a name is not kept twice, and one that was found is not looked for again', async (t) => {
  const rival = await signedBy(wallet, { value: 6n })
  const { sighting } = await replacedAt(150, [shown(rival)])
  const table = { ...tableOf(GONE) }
  const node = nodeOf(table)
  const ctx = contextOf(node, { max_block_age: 0 })
  t.teardown(() => ctx.client.destroy())
  const again = await life.look(ctx, subject({ txHash: own.hash!, bounds, keep: sighting.keep }))
  t.match(again, { status: 'replaced', replacedBy: rival.hash })
  t.equal(node.asked.filter((method) => method === 'eth_getTransactionCount').length, 3, 'the counts of every look')
})

t.test('what a node says of it and the sender has not signed is no name', async (t) => {
  const rival = await signedBy(wallet, { value: 6n })
  const foreign = await signedBy(stranger, { value: 6n })
  const later = await signedBy(wallet, { nonce: nonce + 1 })
  for (const [what, transactions] of [
    ['a block without it', []],
    ["a stranger's, said to be the sender's", [shown(foreign, { from: wallet.address.toLowerCase() })]],
    ['another nonce, said to be that one', [shown(later, { nonce: hex(nonce) })]],
    ['another value than was signed', [shown(rival, { value: '0x7' })]],
    ['another hash', [shown(rival, { hash: own.hash })]],
    ['a type that is not read', [shown(rival, { type: '0x4' })]],
    ['no signature', [shown(rival, { r: null })]],
    ['what is no transaction', [null, 7, {}]],
  ] as const) {
    const { sighting } = await replacedAt(150, transactions as readonly object[])
    t.match(sighting, { status: 'replaced', certainty: 'proven', replacedBy: null }, what)
  }
})

t.test('where the nodes no longer hold the states, or the block, nobody is named', async (t) => {
  const rival = await signedBy(wallet, { value: 6n })
  const gone = new RpcError(-32_000, `historical state ${'78'.repeat(32)} is not available`)
  const counts = ([, tag = '']: readonly string[]) => (tag.startsWith('0x') && Number(tag) < 190 ? gone : hex(nonce + 1))
  t.match((await replacedAt(150, [shown(rival)], { eth_getTransactionCount: counts })).sighting, { status: 'replaced', replacedBy: null })
  const mixed = ([, tag = '']: readonly string[]) => hex(nonce + (tag.startsWith('0x') && Number(tag) % 7 !== 2 ? 0 : 1))
  t.match((await replacedAt(150, [], { eth_getTransactionCount: mixed })).sighting.replacedBy ?? null, null, 'counts that go up and down')
})

t.test('a transaction that is in that block itself is not replaced, whatever its hash finds', async (t) => {
  const { sighting } = await replacedAt(150, [shown(own)])
  t.match(sighting, { status: 'pending', certainty: 'likely', replacedBy: null })
})

import { isEndpointError } from '@svc/contract'
import { Interface } from 'ethers'
import t, { type Test } from 'tap'
import { eventsOf } from '../src/life/events.ts'
import { readFirst, sightOf, writeFirst } from '../src/life/first-sight.ts'
import { readBlock, readKnownBlock, readReceipt, readSent } from '../src/life/receipt.ts'
import { isInVain } from '../src/life/witness.ts'
import { bounds, early, hex, type LifeNode, life, nonce, seen, signed, subject, tableOf, word } from './support/life.ts'
import { contextOf, nodeOf } from './support/node.ts'

const HASH = word(9)
const ADDRESS = `0x${'ab'.repeat(20)}`
const malformed = (work: () => unknown) => {
  try {
    return work()
  } catch (error) {
    if (isEndpointError(error) && error.reason === 'malformed') return 'malformed'
    throw error
  }
}
const log = { address: ADDRESS, topics: [word(1), word(2), word(3), word(4)], data: '0x', transactionHash: HASH }
const receipt = {
  ...{ transactionHash: HASH, blockNumber: '0x1', blockHash: word(1), status: '0x1', from: ADDRESS, to: ADDRESS },
  ...{ gasUsed: '0x1', effectiveGasPrice: '0x0', logs: [log] },
}
const sent = { hash: HASH, blockNumber: '0x1', from: ADDRESS, to: ADDRESS, nonce: '0x0', value: '0x0', gas: '0x0', input: '0x' }
const block = { number: '0x1', hash: word(1), timestamp: '0x1', transactions: [word(5), word(6)] }

/** Both bounds of a member: the last value that can be, and the first that cannot. */
function holds(t: Test, read: (change: object) => unknown, member: string, can: readonly unknown[], cannot: readonly unknown[]) {
  for (const value of can)
    t.not(
      malformed(() => read({ [member]: value })),
      'malformed',
      `${member} ${JSON.stringify(value)}`,
    )
  for (const value of cannot)
    t.equal(
      malformed(() => read({ [member]: value })),
      'malformed',
      `${member} ${String(JSON.stringify(value)).slice(0, 80)}`,
    )
}

t.test('a receipt is one of the transaction that was asked for, within what any chain has', async (t) => {
  const read = (change: object) => readReceipt({ ...receipt, ...change }, HASH)
  t.equal(readReceipt(null, HASH), null)
  t.match(read({}), { block: 1n, succeeded: true, from: ADDRESS, to: ADDRESS, gasUsed: 1n, price: 0n, logs: [{ address: ADDRESS }] })
  t.match(read({ status: '0x0', logs: [] }), { succeeded: false, logs: [] })
  for (const to of [null, undefined]) t.equal(read({ to })?.to, null, 'one that made a contract')
  t.equal(read({ from: ADDRESS.toUpperCase().replace('X', 'x') })?.from, ADDRESS)
  const many = (count: number) => Array(count).fill({ ...log, topics: [] })
  holds(t, read, 'transactionHash', [HASH.toUpperCase().replace('X', 'x')], [word(8), 7, null])
  holds(t, read, 'status', ['0x1'], ['0x2', '0x0', null, 1])
  holds(t, read, 'blockNumber', ['0x0', hex(10n ** 11n)], [hex(10n ** 11n + 1n), null, '0x', 1])
  holds(t, read, 'blockHash', [], [`${word(1)}00`, word(1).slice(0, -2), null])
  holds(t, read, 'gasUsed', [hex(10n ** 12n)], ['0x0', hex(10n ** 12n + 1n)])
  holds(t, read, 'effectiveGasPrice', [hex(10n ** 18n)], [hex(10n ** 18n + 1n), undefined])
  holds(t, read, 'from', [], [`${ADDRESS}00`, ADDRESS.slice(0, -2), null])
  holds(t, read, 'to', [], [`${ADDRESS}00`, 7])
  holds(t, read, 'logs', [[], many(100_000)], [many(100_001), null, {}, 'x'])
  const logs = (change: object) => read({ logs: [{ ...log, ...change }] })
  holds(t, logs, 'removed', [false, undefined], [true])
  holds(t, logs, 'topics', [[]], [[...log.topics, word(5)], null, [`${word(1)}00`], ['0x01']])
  holds(t, logs, 'transactionHash', [], [word(8), undefined])
  holds(t, logs, 'address', [], [`${ADDRESS}00`, undefined])
  holds(t, logs, 'data', ['0x00'], ['0x0', undefined, '00'])
})

t.test('a transaction and a block are within what any chain has', async (t) => {
  const readTx = (change: object) => readSent({ ...sent, ...change }, HASH)
  t.equal(readSent(null, HASH), null)
  t.match(readTx({}), { price: null, block: 1n, from: ADDRESS, to: ADDRESS, nonce: 0n, value: 0n, gas: 0n, data: '0x' })
  t.equal(readTx({ blockNumber: null })?.block, null)
  for (const to of [null, undefined]) t.equal(readTx({ to })?.to, null)
  holds(t, readTx, 'hash', [], [word(8), undefined])
  holds(t, readTx, 'blockNumber', ['0x0'], [undefined, hex(10n ** 11n + 1n)])
  holds(t, readTx, 'nonce', [hex(2n ** 64n - 2n)], [hex(2n ** 64n - 1n), undefined])
  holds(t, readTx, 'gas', [hex(10n ** 12n)], [hex(10n ** 12n + 1n)])
  holds(t, readTx, 'gasPrice', [hex(10n ** 18n), undefined, null], [hex(10n ** 18n + 1n), 7, '0x'])
  t.equal(readTx({ gasPrice: '0x1', maxFeePerGas: '0x2' })?.price, 2n)
  holds(t, readTx, 'value', [`0x${'f'.repeat(64)}`], [`0x1${'0'.repeat(64)}`, undefined])

  const readOne = (change: object) => readBlock({ ...block, ...change })
  t.equal(readBlock(null), null)
  t.equal(
    malformed(() => readKnownBlock(null)),
    'malformed',
  )
  t.same(readOne({}), { number: 1n, hash: word(1), time: 1n, holds: word(5), baseFee: null })
  holds(t, readOne, 'baseFeePerGas', [hex(10n ** 18n), undefined, null], [hex(10n ** 18n + 1n), 7, '0x'])
  t.equal(readOne({ transactions: [] })?.holds, null)
  holds(t, readOne, 'transactions', [], [null, {}, 'x', undefined, [7]])
  holds(t, readOne, 'timestamp', [hex(10n ** 11n)], [hex(10n ** 11n + 1n)])
  holds(t, readOne, 'number', [hex(10n ** 11n)], [hex(10n ** 11n + 1n), null])
})

t.test('answers of one moment differ by 64 blocks at most', async (t) => {
  const behind = { statusCode: 503, code: 'UPSTREAM_BEHIND' }
  // By the time at which its block is asked for the node has it.
  const above = (height: number, final = 198) => {
    const own = tableOf({ head: 1_000 }).eth_getBlockByNumber
    const eth_getBlockByNumber = ([tag = '']: readonly string[]) =>
      own([tag === 'latest' ? hex(200) : tag === 'finalized' ? hex(final) : tag])
    return seen({ at: height, more: { eth_getBlockByNumber } })
  }
  t.match(await above(264), { status: 'included' })
  await t.rejects(above(265), behind)
  t.match(await above(190, 264), { status: 'final' })
  await t.rejects(above(190, 265), behind, 'a final block from far above the newest')
  const parts: readonly object[] = [{ to: `0x${'01'.repeat(20)}` }, { blockNumber: hex(91) }, { gas: hex(20_999) }]
  for (const change of parts) await t.rejects(seen({ at: 90, sent: change }), behind, JSON.stringify(change))
  t.match(await seen({ at: 90, sent: { gas: hex(21_000) } }), { status: 'final' }, 'all of its gas')
  await t.rejects(seen({ at: 90, sent: { nonce: hex(nonce + 1) } }), { code: 'UPSTREAM_ERROR' })
})

t.test('what is overtaken is told by both counts, of a head that is no older than the final block', async (t) => {
  const keep = await early()
  const gone = { status: 'replaced', certainty: 'proven' }
  const used = (latest: number, final: number) => seen({ head: 200, final: 198, used: [latest, final, 1] }, { keep })
  t.match(await used(1, 1), gone)
  t.match(await used(2, 1), gone)
  t.match(await used(1, 0), { status: 'pending', certainty: 'likely' }, 'not final yet')
  t.match(await used(0, 1), { status: 'pending' }, 'a final count above the newest is of another moment')
  const older = await seen({ head: 150, final: 151, used: [1, 1, 1], more: {} }, { keep }).catch((error: { code: string }) => error.code)
  t.notMatch(older, gone, 'a head below the final block')
})

t.test('whole blocks are not asked for', async (t) => {
  const asked: unknown[] = []
  const table = tableOf({ used: [1, 1, 1] })
  const eth_getBlockByNumber = (params: readonly string[]) => {
    asked.push(params)
    return table.eth_getBlockByNumber(params)
  }
  const ctx = contextOf(nodeOf({ ...table, eth_getBlockByNumber }), { max_block_age: 0 })
  t.teardown(() => ctx.client.destroy())
  await life.look(ctx, subject({ keep: await early() }))
  t.ok(asked.length >= 3)
  for (const [, whole] of asked as [string, boolean][]) t.equal(whole, false)
})

t.test('what is kept of the first sight is read back, and anything else counts as used', async (t) => {
  const first = { height: 9n, hash: word(9), witness: word(5), searched: 9n }
  t.same(sightOf({ number: 9n, hash: word(9), time: 1n, holds: word(5), baseFee: null }), first)
  t.same(readFirst(writeFirst(first)), first)
  const searching = { ...first, witness: null, searched: 3n }
  t.same(readFirst(writeFirst(searching)), searching)
  t.same(writeFirst(null), { seen: 'used' })
  t.equal(readFirst({ seen: 'used' }), null)
  t.equal(readFirst(null), undefined)
  t.equal(readFirst({ other: '1' }), undefined)
  const free = writeFirst(searching)
  for (const change of [
    { height: '' },
    { height: '1'.repeat(13) },
    { hash: '0x' },
    { hash: word(9).toUpperCase() },
    { searched: 'x' },
    { searched: '10' },
    { seen: 'fr' },
  ])
    t.equal(readFirst({ ...free, ...change }), null, JSON.stringify(change))
  t.match(readFirst({ ...free, searched: '9' }), { searched: 9n })
  t.match(readFirst({ ...free, witness: 'x' }), { witness: null })
})

t.test('a search for a witness ends where it does not go on, or is further back than any node looks', async (t) => {
  const first = { height: 100n, hash: word(1), witness: null, searched: 100n }
  for (const [after, head, depth, inVain] of [
    [first, 200n, 100, true],
    [{ ...first, witness: word(2) }, 200n, 1, false],
    [{ ...first, searched: 90n }, 190n, 100, false],
    [{ ...first, searched: 90n }, 191n, 100, true],
    [{ ...first, searched: 0n }, 9_000n, 100, false],
    [{ ...first, height: 101n, searched: 0n }, 9_000n, 100, false],
  ] as const)
    t.equal(isInVain(first, after, head, depth), inVain, `searched to ${after.searched}, of ${after.height}, at ${head}`)
})

t.test('the witness is the nearest transaction before the first sight, and a gap in what a node holds is no empty block', async (t) => {
  const lookFrom = async (node: LifeNode) => (await seen({ at: 'pool', ...node })).keep
  t.match(await lookFrom({}), { height: '98', witness: word(7_098) }, 'in the block itself')
  t.match(await lookFrom({ empty: (n) => n === 98 }), { height: '97', witness: word(7_097) })
  t.match(await lookFrom({ empty: (n) => n > 82 }), { height: '82', witness: word(7_082) }, 'sixteen blocks at a time')
  const sixteen = await lookFrom({ empty: (n) => n > 81 })
  t.match(sixteen, { height: '98', searched: '82', witness: undefined })
  const gap = await lookFrom({ empty: (n) => n > 60, first: 95 })
  t.match(gap, { height: '98', searched: '95' }, 'what this node does not hold another one may')
  const small = { head: 4, final: 2 }
  t.match(await lookFrom({ ...small, empty: () => true }), { searched: '0' })
})

t.test('events are those of the contract, and of its ABI', async (t) => {
  const abi = { interface: new Interface(['event Staked(address indexed who, uint256 amount)']) }
  const topic = abi.interface.getEvent('Staked')?.topicHash ?? ''
  const staked = { address: ADDRESS, topics: [topic, `0x${'00'.repeat(12)}${'cd'.repeat(20)}`], data: word(7) }
  const of = (...logs: object[]) =>
    eventsOf(abi, { from: bounds.wallet, to: signed.to, value: 0n, logs: logs as never }, ADDRESS.toUpperCase().replace('X', 'x'))
  t.same(
    of(staked).map(({ name, args }) => [name, args.amount]),
    [['Staked', 7n]],
  )
  t.same(of({ ...staked, address: `0x${'00'.repeat(20)}` }), [], 'of another contract')
  t.same(of({ ...staked, topics: [word(1)] }), [], 'one that the ABI does not have')
})

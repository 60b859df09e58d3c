import { AbiCoder, Interface } from 'ethers'
import t, { type Test } from 'tap'
import { revertReason } from '../src/index.ts'
import { readMany } from '../src/multicall.ts'
import { contextOf, type Node, network, nodeOf, RpcError } from './support/node.ts'

const multicall3 = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])',
])
const calls = [
  { to: '0x0000000000000000000000000000000000001000', data: '0x757991a8' },
  { to: '0x0000000000000000000000000000000000001000', data: '0x573c1ce0' },
]
const hex = (text: string) => `0x${Buffer.from(text).toString('hex')}`

function contextFor(t: Test, node: Node) {
  const ctx = contextOf(node)
  t.teardown(() => ctx.client.destroy())
  return ctx
}

t.test('many reads are one call through the multicall contract, where each may fail alone', async (t) => {
  const seen: { to: string; data: string }[] = []
  const node = nodeOf({
    eth_call([call, block]: [{ to: string; data: string }, string]) {
      t.equal(block, 'latest')
      seen.push(call)
      return multicall3.encodeFunctionResult('aggregate3', [
        [
          [true, '0x0001'],
          [false, hex('method not supported')],
        ],
      ])
    },
  })
  t.same(await readMany(contextFor(t, node), calls), [
    { ok: true, data: '0x0001' },
    { ok: false, reason: 'method not supported' },
  ])
  t.equal(seen[0]?.to, network.multicall)
  const [asked] = multicall3.decodeFunctionData('aggregate3', seen[0]!.data)
  t.same(
    asked.map(([target, allowFailure, data]: [string, boolean, string]) => [target, allowFailure, data]),
    calls.map(({ to, data }) => [to, true, data]),
  )
  t.same(node.requests, [1])
})

/** A chain without the contract: every call to it answers 0x. */
const bare = () =>
  nodeOf({
    head: '0x',
    eth_getCode: '0x',
    eth_getBlockByNumber: { timestamp: '0x0' },
    eth_call([{ to, data }]: [{ to: string; data: string }]) {
      if (to === network.multicall) return '0x'
      if (data === '0x573c1ce0') throw new RpcError(3, 'execution reverted', hex('unknown validator'))
      return data
    },
  })

t.test('where the chain has no such contract the reads travel as a batch, and it is looked for once', async (t) => {
  const node = bare()
  const ctx = contextFor(t, node)
  const expected = [
    { ok: true, data: '0x757991a8' },
    { ok: false, reason: 'unknown validator' },
  ]
  t.same(await readMany(ctx, calls), expected)
  const asked = [1, 2, 3]
  t.same(node.requests, asked, 'the reads, then the block and the code, then one by one with the block')
  t.same(await readMany(ctx, calls), expected)
  t.same(node.requests, [...asked, 3])
})

t.test('one empty answer does not hide a contract that is there', async (t) => {
  let empty = true
  const node = nodeOf({
    eth_call([{ to, data }]: [{ to: string; data: string }]) {
      if (to !== network.multicall) return data
      return empty ? '0x' : multicall3.encodeFunctionResult('aggregate3', [calls.map(() => [true, '0x02'])])
    },
  })
  const ctx = contextFor(t, node)
  t.match(await readMany(ctx, calls), [{ data: calls[0]!.data }, { data: calls[1]!.data }])
  empty = false
  t.match(await readMany(ctx, calls), [{ data: '0x02' }, { data: '0x02' }])
  t.same(node.requests, [1, 2, 1])
})

t.test('data that its reader refuses is 502', async (t) => {
  const check = () => {
    throw new Error('too short')
  }
  const node = nodeOf({ eth_call: multicall3.encodeFunctionResult('aggregate3', [calls.map(() => [true, '0x02'])]) })
  await t.rejects(
    readMany(
      contextFor(t, node),
      calls.map((call) => ({ ...call, check })),
    ),
    { statusCode: 502, code: 'UPSTREAM_ERROR' },
  )
})

t.test('another client looks for itself', async (t) => {
  const node = bare()
  await readMany(contextFor(t, node), calls)
  await readMany(contextFor(t, node), calls)
  t.same(node.requests, [1, 2, 3, 1, 2, 3])
})

t.test('a refused multicall is read call by call this time, and tried again next time', async (t) => {
  let refused = true
  const node = nodeOf({
    eth_call([{ to, data }]: [{ to: string; data: string }]) {
      if (to !== network.multicall) return data
      if (refused) throw new RpcError(-32000, 'out of gas')
      return multicall3.encodeFunctionResult('aggregate3', [calls.map(() => [true, '0x02'])])
    },
  })
  const ctx = contextFor(t, node)
  t.match(await readMany(ctx, calls), [{ data: calls[0]!.data }, { data: calls[1]!.data }])
  refused = false
  t.match(await readMany(ctx, calls), [{ data: '0x02' }, { data: '0x02' }])
})

t.test('a contract there that is another one is 502 and nothing is taken from it', async (t) => {
  const other = AbiCoder.defaultAbiCoder().encode(['uint256'], [7])
  const short = multicall3.encodeFunctionResult('aggregate3', [[[true, '0x']]])
  for (const answer of [other, short, '0x01'])
    await t.rejects(readMany(contextFor(t, nodeOf({ eth_call: answer })), calls), {
      statusCode: 502,
      code: 'UPSTREAM_ERROR',
      message: /another form/,
    })
})

t.test('a node that cannot answer is 502, and the reads are not asked one by one', async (t) => {
  const node = nodeOf({ eth_call: new RpcError(-32000, 'header not found') })
  await t.rejects(readMany(contextFor(t, node), calls), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  t.same(node.requests, [1])
  await t.rejects(readMany(contextFor(t, nodeOf({ eth_call: null })), calls), { statusCode: 502, code: 'UPSTREAM_ERROR' })
})

t.test('an error that is not the verdict of a chain has no reason', async (t) => {
  t.equal(revertReason(new TypeError('a fault')), null)
  t.equal(revertReason(Object.assign(new Error('x'), { code: 'NETWORK_ERROR' })), null)
})

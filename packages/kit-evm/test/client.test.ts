import t, { type Test } from 'tap'
import { contextOf, type Node, nodeOf, RpcError } from './support/node.ts'

function clientOf(t: Test, node: Node, batch_max = 100) {
  const { client } = contextOf(node, { batch_max })
  t.teardown(() => client.destroy())
  return client
}

const many = (count: number) => Array.from({ length: count }, (_, index) => ['eth_getBalance', [`0x${index}`]] as const)

t.test('calls that start together travel together, and each gets its own answer', async (t) => {
  const node = nodeOf({ eth_getBalance: ([address]: [string]) => `${address}0` })
  const client = clientOf(t, node)
  t.same(await Promise.all(many(5).map(([method, params]) => client.send(method, [...params]))), ['0x00', '0x10', '0x20', '0x30', '0x40'])
  t.same(node.requests, [5])
})

t.test('answers are told apart by their ids, in whatever order they come', async (t) => {
  const node = nodeOf({ eth_getBalance: ([address]: [string]) => `${address}0` }, (calls, _batch, answer) => calls.map(answer).reverse())
  const client = clientOf(t, node)
  t.same(await Promise.all(many(3).map(([method, params]) => client.send(method, [...params]))), ['0x00', '0x10', '0x20'])
})

t.test('nothing is remembered between two calls, so that no nonce is old', async (t) => {
  let nonce = 0
  const client = clientOf(t, nodeOf({ eth_getTransactionCount: () => `0x${nonce++}` }))
  t.equal(await client.send('eth_getTransactionCount', ['0x1', 'pending']), '0x0')
  t.equal(await client.send('eth_getTransactionCount', ['0x1', 'pending']), '0x1')
})

t.test('a batch is never larger than the endpoints take, and 1 switches batches off', async (t) => {
  const node = nodeOf({ eth_getBalance: '0x1' })
  const client = clientOf(t, node, 2)
  await Promise.all(many(5).map(([method, params]) => client.send(method, [...params])))
  t.same(node.requests, [2, 2, 1])
  const single = nodeOf({ eth_getBalance: '0x1' }, (_calls, batch) => (batch ? { error: 'a batch' } : undefined))
  const alone = clientOf(t, single, 1)
  await Promise.all(many(3).map(([method, params]) => alone.send(method, [...params])))
  t.same(single.requests, [1, 1, 1])
})

t.test('an endpoint that refuses batches is noticed once and then asked call by call', async (t) => {
  const node = nodeOf({ eth_getBalance: '0x1' }, (_calls, batch) =>
    batch ? { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'batches are not supported' } } : undefined,
  )
  const client = clientOf(t, node)
  const ask = () => Promise.all(many(3).map(([method, params]) => client.send(method, [...params])))
  t.same(await ask(), ['0x1', '0x1', '0x1'])
  t.same(node.requests, [3, 1, 1, 1])
  t.same(await ask(), ['0x1', '0x1', '0x1'])
  t.same(node.requests.slice(4), [1, 1, 1])
})

t.test('an endpoint that is busy when a batch comes still takes batches later', async (t) => {
  let busy = true
  const node = nodeOf({ eth_getBalance: '0x1' }, () =>
    busy ? { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'rate limit exceeded' } } : undefined,
  )
  const client = clientOf(t, node)
  const ask = () => Promise.all(many(2).map(([method, params]) => client.send(method, [...params])))
  await t.rejects(ask(), { statusCode: 503, code: 'UPSTREAM_BUSY' })
  busy = false
  await ask()
  t.same(node.requests, [2, 2])
})

t.test('one failing call of a batch fails alone', async (t) => {
  const node = nodeOf({ eth_getBalance: ([address]: [string]) => (address === '0x1' ? new RpcError(-32000, 'header not found') : '0x1') })
  const client = clientOf(t, node)
  const answers = await Promise.allSettled(many(3).map(([method, params]) => client.send(method, [...params])))
  t.match(answers, [
    { status: 'fulfilled' },
    { status: 'rejected', reason: { statusCode: 502, code: 'UPSTREAM_ERROR' } },
    { status: 'fulfilled' },
  ])
})

t.test('a busy node is 503 with a time to wait, whatever was asked', async (t) => {
  for (const method of ['eth_gasPrice', 'eth_call', 'eth_estimateGas', 'eth_sendRawTransaction']) {
    for (const message of [
      'concurrent requests limit',
      'request limit exceeded',
      'rate limited: too many requests',
      'over capacity',
      'please try again later',
    ]) {
      const client = clientOf(t, nodeOf({ [method]: new RpcError(-32603, message) }))
      await t.rejects(client.send(method, [{}]), { statusCode: 503, code: 'UPSTREAM_BUSY', retryAfter: 5 }, `${method}: ${message}`)
    }
  }
})

t.test("a contract's own words are the chain's verdict, be they those of a busy node", async (t) => {
  for (const method of ['eth_call', 'eth_estimateGas'])
    for (const reason of ['daily quota used up', 'rate limit', 'try again in the next epoch']) {
      const client = clientOf(t, nodeOf({ [method]: new RpcError(3, `execution reverted: ${reason}`) }))
      await t.rejects(client.send(method, [{}]), { code: 'CALL_EXCEPTION' }, `${method}: ${reason}`)
    }
})

t.test('an error of the node to a read is 502, without the words of the node', async (t) => {
  for (const method of ['eth_getBalance', 'eth_gasPrice', 'eth_call', 'eth_estimateGas', 'eth_getTransactionByHash']) {
    const client = clientOf(t, nodeOf({ [method]: new RpcError(-32000, 'missing trie node at http://secret.example/key') }))
    await t.rejects(
      client.send(method, [{}]),
      { statusCode: 502, code: 'UPSTREAM_ERROR', message: "The chain's node could not answer; try again." },
      method,
    )
  }
})

t.test('a simulation that ran and was refused is the verdict of the chain', async (t) => {
  for (const error of [
    new RpcError(3, 'execution reverted', '0x'),
    new RpcError(-32000, 'execution reverted'),
    new RpcError(-32003, 'insufficient funds'),
    new RpcError(-32000, 'out of gas'),
    new RpcError(-32015, 'VM execution error.', '0x08c379a0'),
  ]) {
    const client = clientOf(t, nodeOf({ eth_estimateGas: error, eth_call: error }))
    for (const method of ['eth_estimateGas', 'eth_call'])
      await t.rejects(client.send(method, [{}]), { code: /^(CALL_EXCEPTION|INSUFFICIENT_FUNDS)$/ }, `${method}: ${error.message}`)
  }
})

t.test('a code alone is no verdict, and an end of a run is one whatever a busy node would say', async (t) => {
  const tooLarge = clientOf(t, nodeOf({ eth_call: new RpcError(-32_003, 'response too large') }))
  await t.rejects(tooLarge.send('eth_call', [{}]), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  const { revertReason } = await import('../src/index.ts')
  for (const [message, reason] of [
    ['stack limit reached 1024 (1023)', 'its stack runs over or empty'],
    ['invalid jump destination', 'it jumps to where no instruction is'],
    ['write protection', 'it writes where it may only read'],
    ['max call depth exceeded', 'its calls are nested too deep'],
    ['return data out of bounds', 'it reads beyond what there is'],
    ['gas uint64 overflow', 'it runs out of gas'],
    ['EVM error MemoryOOG', 'it runs out of gas'],
    ['undefined instruction', 'it meets an invalid instruction'],
    ['precompile failure', 'a contract of the chain fails'],
  ] as const) {
    const client = clientOf(t, nodeOf({ eth_call: new RpcError(-32_000, message) }))
    t.equal(revertReason(await client.send('eth_call', [{}]).catch((error: unknown) => error)), reason, message)
  }
})

t.test('replies that are no answers are 502', async (t) => {
  for (const reply of ['null', '7', '"0x1"', '[]', '{}', '[null]', '{"jsonrpc":"2.0","id":99,"result":"0x1"}', '<html>', '']) {
    const client = clientOf(
      t,
      nodeOf({}, () => new Response(reply)),
    )
    await t.rejects(client.send('eth_gasPrice', []), { statusCode: 502, code: 'UPSTREAM_ERROR' }, reply)
    await t.rejects(
      Promise.all([client.send('eth_gasPrice', []), client.send('eth_chainId', [])]),
      { statusCode: 502, code: 'UPSTREAM_ERROR' },
      `batch: ${reply}`,
    )
  }
})

t.test('a number or bytes in another form are 502', async (t) => {
  for (const result of [null, '', '0x', 'x', 5, '0xzz', {}, '-0x1', `0x${'f'.repeat(65)}`]) {
    const client = clientOf(t, nodeOf({ eth_gasPrice: result, eth_call: result }))
    await t.rejects(client.quantity('eth_gasPrice', []), { statusCode: 502, code: 'UPSTREAM_ERROR' }, JSON.stringify(result))
    if (result === '0x') t.equal(await client.bytes('eth_call', [{}]), '0x')
    else await t.rejects(client.bytes('eth_call', [{}]), { statusCode: 502, code: 'UPSTREAM_ERROR' }, JSON.stringify(result))
  }
  const client = clientOf(t, nodeOf({ eth_gasPrice: '0x1A', eth_call: '0x0aF0' }))
  t.equal(await client.quantity('eth_gasPrice', []), 26n)
  t.equal(await client.bytes('eth_call', [{}]), '0x0aF0')
})

t.test("the failover's own refusal passes through as it is", async (t) => {
  const { declareErrors } = await import('@svc/contract')
  const { badGateway } = declareErrors({ UPSTREAM_UNAVAILABLE: [502, 'No endpoint answers.'] })
  const node: Node = {
    asked: [],
    requests: [],
    fetch: async () => Promise.reject(badGateway('UPSTREAM_UNAVAILABLE', 'each endpoint failed')),
  }
  const client = clientOf(t, node)
  await t.rejects(client.send('eth_gasPrice', []), { statusCode: 502, code: 'UPSTREAM_UNAVAILABLE', message: 'each endpoint failed' })
})

t.test('connecting asks nothing, and what is closed answers nothing', async (t) => {
  const node = nodeOf({ eth_gasPrice: '0x1' })
  const client = clientOf(t, node)
  await new Promise((resolve) => setImmediate(resolve))
  t.same(node.asked, [])
  client.destroy()
  await t.rejects(client.send('eth_gasPrice', []))
})

t.test('a node of another chain, or one that lies behind, answers nothing', async (t) => {
  const late = (seconds: bigint) => ({ head: `0x${seconds.toString(16).padStart(64, '0')}`, eth_gasPrice: '0x1' })
  const at = (table: Record<string, unknown>, changes: object = {}) => {
    const { client } = contextOf(nodeOf(table), changes, new Date(10_000_000))
    t.teardown(() => client.destroy())
    return client.quantity('eth_gasPrice', [])
  }
  await t.rejects(at({ ...late(10_000n), eth_chainId: '0x1' }), { statusCode: 502, code: 'UPSTREAM_OTHER_CHAIN' })
  await t.rejects(at(late(9_099n)), { statusCode: 503, code: 'UPSTREAM_BEHIND', retryAfter: 60 })
  t.equal(await at(late(9_100n)), 1n)
  t.equal(await at(late(20_000n)), 1n, 'a chain whose clock is ahead of ours is alive')
  t.equal(await at(late(0n), { max_block_age: 0 }), 1n)
  for (const head of ['0x12', null, `0x${'f'.repeat(64)}`, 7])
    await t.rejects(at({ head, eth_gasPrice: '0x1' }), { statusCode: 502, code: 'UPSTREAM_ERROR' }, String(head))
  for (const eth_chainId of [null, 'x', new RpcError(-32_000, 'no')])
    await t.rejects(at({ ...late(10_000n), eth_chainId }), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  const bare = { head: '0x', eth_getCode: '0x', eth_gasPrice: '0x1' }
  t.equal(await at({ ...bare, eth_getBlockByNumber: { timestamp: '0x2710' } }), 1n)
  await t.rejects(at({ ...bare, eth_getBlockByNumber: { timestamp: '0x1' } }), { code: 'UPSTREAM_BEHIND' })
  await t.rejects(at({ ...bare, eth_getBlockByNumber: null }), { code: 'UPSTREAM_ERROR' })
})

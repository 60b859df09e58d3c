import t from 'tap'
import { readSpendable } from '../src/account.ts'
import { answer, answerOrNone, QueryRefused, verdict } from '../src/answer.ts'
import { coins, connect, hubOne, nodeOf, notFound, Refused, RpcError, SPENDABLE, status } from './support/node.ts'
import { one } from './support/vectors.ts'

const table = { ...coins('uatom', 5n), status: status(one.chainId) }
const ask = (ctx: ReturnType<typeof connect>['ctx']) => readSpendable(ctx.client, one.address, 'uatom')
const upstream = { statusCode: 502, code: 'UPSTREAM_ERROR' }

t.test('connecting calls nothing, and identify asks the node for its chain', async (t) => {
  const node = nodeOf(table)
  const { kit, ctx } = connect(hubOne, node)
  t.same(node.asked, [])
  t.equal(await kit.identify(ctx), one.chainId)
  t.same(node.asked, ['status'])
})

t.test('questions that start together travel in one request, ten at most', async (t) => {
  const node = nodeOf(table)
  const { ctx } = connect(hubOne, node)
  t.same(await Promise.all(Array.from({ length: 23 }, () => ask(ctx))), Array(23).fill(5n))
  t.same(node.requests, [10, 10, 3])
})

t.test('batches can be switched off', async (t) => {
  const node = nodeOf(table)
  const { ctx } = connect(hubOne, node, { batch_max: 1 })
  t.same(await Promise.all([ask(ctx), ask(ctx)]), [5n, 5n])
  t.same(node.requests, [1, 1])
})

t.test('an endpoint that refuses a batch is asked call by call from then on', async (t) => {
  const refusal = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batch requests are not supported' } }
  const node = nodeOf(table, (_calls, batch) => (batch ? refusal : undefined))
  const { ctx } = connect(hubOne, node)
  t.same(await Promise.all([ask(ctx), ask(ctx)]), [5n, 5n])
  t.same(await Promise.all([ask(ctx), ask(ctx)]), [5n, 5n])
  t.same(node.requests, [2, 1, 1, 1, 1])
})

t.test('answers of a batch are told apart by their ids, in any order', async (t) => {
  const node = nodeOf(table, (calls, batch) =>
    batch
      ? calls.toReversed().map(({ id }: { id: number }, index: number) => ({
          jsonrpc: '2.0',
          id,
          result: {
            node_info: { network: `chain-${calls.length - 1 - index}` },
            sync_info: { catching_up: false, latest_block_time: '2026-01-01T00:00:00Z' },
          },
        }))
      : undefined,
  )
  const { kit, ctx } = connect(hubOne, node)
  t.same(await Promise.all([kit.identify(ctx), kit.identify(ctx), kit.identify(ctx)]), ['chain-0', 'chain-1', 'chain-2'])
})

t.test('an answer that is none is a 502', async (t) => {
  const garbled: Record<string, unknown> = {
    null: null,
    'an empty list': [],
    'an empty object': {},
    'a text': 'rate limited',
    'another id': { jsonrpc: '2.0', id: 'another', result: {} },
    'no result': { jsonrpc: '2.0', id: 1 },
    'a result that is a text': { jsonrpc: '2.0', id: 1, result: 'OK' },
    'a result of another form': { jsonrpc: '2.0', id: 1, result: {} },
    'a value that is not base64': { jsonrpc: '2.0', id: 1, result: { response: { code: 0, value: '?', height: '7' } } },
    'a value that is no message': { jsonrpc: '2.0', id: 1, result: { response: { code: 0, value: 'Cv//', height: '7' } } },
    'a value that is empty': { jsonrpc: '2.0', id: 1, result: { response: { code: 0, value: '', height: '7' } } },
    'no height': { jsonrpc: '2.0', id: 1, result: { response: { code: 0, value: '' } } },
    'an error without words': { jsonrpc: '2.0', id: 1, error: 'failed' },
    'an internal error': { jsonrpc: '2.0', id: 1, error: { code: -32_603, message: 'Internal error', data: 'panic' } },
  }
  for (const [name, reply] of Object.entries(garbled)) {
    const { ctx } = connect(
      hubOne,
      nodeOf(table, () => new Response(JSON.stringify(reply))),
    )
    await t.rejects(ask(ctx), upstream, name)
  }
  const { ctx } = connect(
    hubOne,
    nodeOf(table, () => new Response('<html>')),
  )
  await t.rejects(ask(ctx), upstream, 'no JSON')
  const failing = { fetch: (async () => Promise.reject(new TypeError('fetch failed'))) as typeof fetch }
  await t.rejects(ask(connect(hubOne, failing).ctx), upstream, 'a broken connection')
})

t.test('an amount that is no integer is a 502', async (t) => {
  for (const amount of ['', '-5', '1.5', 'NaN', '1'.repeat(100)]) {
    const node = nodeOf({ [SPENDABLE]: Buffer.from([0x0a, 2 + amount.length, 0x12, amount.length, ...Buffer.from(amount)]) })
    await t.rejects(ask(connect(hubOne, node).ctx), upstream, amount)
  }
})

t.test('a node that is behind or busy is a 503 with the time to wait', async (t) => {
  const cases: [unknown, string][] = [
    [new RpcError('endpoint is closed while node is catching up'), 'UPSTREAM_BEHIND'],
    [new Refused(38, 'app is not ready; please wait for first block: invalid height'), 'UPSTREAM_BEHIND'],
    [new RpcError('rate limit exceeded'), 'UPSTREAM_BUSY'],
    [new RpcError('', 'Too Many Requests'), 'UPSTREAM_BUSY'],
  ]
  for (const [entry, code] of cases) {
    const { ctx } = connect(hubOne, nodeOf({ [SPENDABLE]: entry }))
    await t.rejects(ask(ctx), { statusCode: 503, code, retryAfter: Number }, code)
  }
})

t.test('what the application refuses keeps its code and its words, and nothing of that kind is no failure', async (t) => {
  const { ctx } = connect(hubOne, nodeOf({ '/a': notFound('account'), '/b': new Refused(18, 'invalid\nheight') }))
  const query = (path: string) => ctx.client.queries.queryAbci(path, new Uint8Array())
  t.equal(await answerOrNone(query('/a')), undefined)
  await t.rejects(answerOrNone(query('/b')), upstream)
  await t.rejects(answer(query('/a')), upstream)
  await t.rejects(verdict(query('/b')), { code: 18, log: 'invalid\nheight' })
  await t.rejects(verdict(query('/b')), QueryRefused)
})

import t from 'tap'
import { EndpointError, isEndpointError, malformedAnswer } from '../src/index.ts'
import { refusals } from '../src/refusals.ts'
import { createJsonRpc, type JsonRpcOptions } from '../src/rpc.ts'

const { badGateway, badRequest } = refusals

interface Call {
  readonly id: number
  readonly method: string
  readonly params: unknown
}
type Node = (calls: readonly Call[], batch: boolean) => unknown

const answers = (calls: readonly Call[], batch: boolean, result: (call: Call) => unknown = ({ method }) => method) => {
  const all = calls.map((call) => ({ jsonrpc: '2.0', id: call.id, result: result(call) }))
  return batch ? all : all[0]
}
const healthy: Node = (calls, batch) => answers(calls, batch)
const busy = new EndpointError('busy', badGateway('UPSTREAM_BUSY', 'busy'))

/** Nodes in a row, and what was asked of each. */
function over(nodes: readonly Node[], options: Partial<JsonRpcOptions> = {}) {
  const asked: string[] = []
  const rpc = createJsonRpc(
    {
      async exchange(work) {
        let last: unknown
        for (const [index, node] of nodes.entries()) {
          const send = (async (_url: string, init: RequestInit) => {
            const body = JSON.parse(String(init.body)) as Call | Call[]
            const calls = Array.isArray(body) ? body : [body]
            asked.push(`${index + 1}:${calls.map(({ method }) => method).join('+')}`)
            const answer = node(calls, Array.isArray(body))
            return answer instanceof Response ? answer : Response.json(answer)
          }) as typeof fetch
          try {
            return await work(send, index + 1)
          } catch (error) {
            if (!isEndpointError(error)) throw error
            last = error.refusal
          }
        }
        throw last
      },
    },
    {
      batchMax: 10,
      refusal: (_method, { code }) => (code === 3 ? badRequest('REVERTED', 'reverted') : code === -32_005 ? busy : malformedAnswer()),
      ...options,
    },
  )
  return { rpc, asked, get: (method: string) => rpc.call(method, [], (result) => result) }
}

const wave = async (get: (method: string) => Promise<unknown>) => Promise.all(['x', 'y'].map(get))

t.test('calls of a wave that are alike travel once, and each is read for itself', async (t) => {
  const { rpc, asked } = over([(calls, batch) => answers(calls, batch, ({ method, params }) => `${method} ${JSON.stringify(params)}`)])
  const call = (method: string, params: unknown, word: string) => rpc.call(method, params, (result) => `${word}: ${result}`)
  const told = await Promise.allSettled([
    call('x', [1], 'a'),
    call('x', [2], 'b'),
    call('x', [1], 'c'),
    call('y', [1], 'd'),
    rpc.call('x', [1], () => {
      throw badRequest('REVERTED', 'no')
    }),
  ])
  t.same(asked, ['1:x+x+y'])
  t.match(told, [
    { value: 'a: x [1]' },
    { value: 'b: x [2]' },
    { value: 'c: x [1]' },
    { value: 'd: y [1]' },
    { reason: { code: 'REVERTED' } },
  ])
  t.equal(await call('x', [1], 'e'), 'e: x [1]', 'and the next wave asks anew')
  t.same(asked, ['1:x+x+y', '1:x'])
})

t.test('whatever is no verdict of the chain sends the whole wave to the next endpoint', async (t) => {
  const bad: Record<string, Node> = {
    'busy in HTTP 200': (calls) => calls.map(({ id }) => ({ id, error: { code: -32_005, message: 'limit' } })),
    'a result beside an error': (calls) => calls.map(({ id }) => ({ id, result: 'x', error: 'no' })),
    'an error that is a number': (calls) => calls.map(({ id }) => ({ id, result: 'x', error: 0 })),
    'one answer missing': (calls, batch) => (answers(calls, batch) as unknown[]).slice(1),
    'one answer twice': (calls, batch) => [...(answers(calls, batch) as unknown[]), (answers(calls, batch) as unknown[])[0]],
    'other ids': (calls) => calls.map(({ id }) => ({ id: id + 1000, result: 'x' })),
    'result missing': (calls) => calls.map(({ id }) => ({ id })),
    'error that is a text': (calls) => calls.map(({ id }) => ({ id, error: 'oops' })),
    'an object': () => ({ hello: 1 }),
    null: () => new Response('null'),
    'no JSON': () => new Response('<html>'),
    'a refusal without ids': () => [{ id: null, error: { code: -32_700, message: 'parse error' } }],
  }
  for (const [name, node] of Object.entries(bad)) {
    const { get, asked } = over([node, healthy])
    t.same(await wave(get), ['x', 'y'], name)
    t.same(asked, ['1:x+y', '2:x+y'], name)
    await t.rejects(wave(over([node]).get), { code: /^UPSTREAM_/ }, `${name}, and no other endpoint`)
  }
})

t.test('a negative costs a call at the next endpoint, and is told as the first one gave it where every one gives it', async (t) => {
  const holding =
    (value: unknown): Node =>
    (calls, batch) =>
      answers(calls, batch, ({ method }) => (method === 'held' ? value : method))
  const refusing: Node = (calls, batch) => {
    const all = calls.map(({ id, method }) => (method === 'held' ? { id, error: { code: 3, message: 'gone' } } : { id, result: method }))
    return batch ? all : all[0]
  }
  const ask = async (nodes: readonly Node[]) => {
    const { rpc, asked, get } = over(nodes)
    const holder = rpc.call(
      'held',
      [],
      (result) => result,
      'along',
      (outcome) => !('value' in outcome) || outcome.value === null,
    )
    const all = await Promise.allSettled([holder, get('x')])
    return { asked, said: all.map((each) => (each.status === 'fulfilled' ? each.value : each.reason.code)) }
  }
  t.same(await ask([holding('it'), holding(null)]), { asked: ['1:held+x'], said: ['it', 'x'] }, 'all is well')
  t.same(await ask([holding(null), holding('it')]), { asked: ['1:held+x', '2:held+x'], said: ['it', 'x'] })
  t.same(await ask([refusing, holding('it')]), { asked: ['1:held+x', '2:held+x'], said: ['it', 'x'] }, 'a refusal is a negative too')
  t.same((await ask([holding(null), holding(null), holding('it')])).said, ['it', 'x'], 'every one is asked')
  t.same((await ask([holding(null), refusing])).said, [null, 'x'], 'nobody has it')
  t.same((await ask([refusing, holding(null)])).said, ['REVERTED', 'x'])
  t.same(await ask([holding(null)]), { asked: ['1:held+x'], said: [null, 'x'] }, 'the only endpoint there is')
  const two = over([holding(null), (calls, batch) => answers(calls, batch, ({ method }) => (method === 'held' ? null : 'it'))])
  const both = ['held', 'held too'].map((method) =>
    two.rpc.call(
      method,
      [],
      (result) => result,
      'along',
      (answer) => 'value' in answer && answer.value !== 'it',
    ),
  )
  t.same(await Promise.all(both), [null, 'it'], 'of two that lack something the one that lacks less')
  const broken: Node = (calls) => calls.map(({ id, method }) => (method === 'held' ? { id } : { id, result: method }))
  t.same((await ask([broken, holding(null)])).said, [null, 'x'], 'one that does not answer says nothing')
  t.same((await ask([holding(null), broken])).said, [null, 'x'])
})

t.test("the chain's verdict is final, and each call has its own", async (t) => {
  const node: Node = (calls) =>
    calls.map(({ id, method }) => (method === 'x' ? { id, error: { code: 3 } } : { jsonrpc: '2.0', id, result: 1, error: null }))
  const { get, asked } = over([node, healthy])
  const [x, y] = await Promise.allSettled(['x', 'y'].map(get))
  t.match(x, { status: 'rejected', reason: { code: 'REVERTED' } })
  t.match(y, { status: 'fulfilled', value: 1 })
  t.same(asked, ['1:x+y'])
})

t.test('what a reader refuses is asked of the next endpoint; a fault of form is never a fault of ours', async (t) => {
  const odd: Node = (calls, batch) => answers(calls, batch, () => null)
  for (const read of [
    (result: unknown) => (result as { length: number }).length,
    (result: unknown) => {
      if (result === null) throw malformedAnswer(result)
      return 1
    },
  ]) {
    t.equal(await over([odd, healthy]).rpc.call('m', [], read), 1)
    await t.rejects(over([odd]).rpc.call('m', [], read), { statusCode: 502, code: 'UPSTREAM_ERROR' })
  }
  const refuse = () => {
    throw badRequest('NO', 'no')
  }
  await t.rejects(over([odd, healthy]).rpc.call('m', [], refuse), { code: 'NO' }, 'a refusal for the caller is a verdict')
})

t.test('what the last endpoint could not answer does not take away what the first one could', async (t) => {
  const half: Node = (calls) => calls.map(({ id, method }) => (method === 'x' ? { id, result: 'x' } : { id, error: { code: -1 } }))
  const { get } = over([half, () => new Response('<html>')])
  const [x, y] = await Promise.allSettled(['x', 'y'].map(get))
  t.match(x, { status: 'fulfilled', value: 'x' })
  t.match(y, { status: 'rejected', reason: { statusCode: 502 } })
})

t.test('sentinels go along with every wave, before what changes the chain, and not with the question who it is', async (t) => {
  let chain = 'other'
  const node: Node = (calls, batch) => answers(calls, batch, ({ method }) => (method === 'who' ? chain : method))
  const sentinels = () => [
    {
      method: 'who',
      params: [],
      read(result: unknown) {
        if (result !== 'mine') throw new EndpointError('other chain', badGateway('UPSTREAM_OTHER_CHAIN', 'other'))
        return undefined
      },
    },
  ]
  const { rpc, get, asked } = over([node], { sentinels })
  await t.rejects(wave(get), { code: 'UPSTREAM_OTHER_CHAIN' })
  await t.rejects(
    rpc.call('send', [], (result) => result, 'before'),
    { code: 'UPSTREAM_OTHER_CHAIN' },
  )
  t.equal(await rpc.call('x', [], (result) => result, 'not'), 'x')
  chain = 'mine'
  t.same(await wave(get), ['x', 'y'])
  t.equal(await rpc.call('send', [], (result) => result, 'before'), 'send')
  t.same(asked, ['1:who+x+y', '1:who', '1:x', '1:who+x+y', '1:who', '1:send'])
})

t.test('a sentinel that another call of the wave answers is not asked by itself, and judges all the same', async (t) => {
  let head: unknown = 'new'
  const node: Node = (calls, batch) =>
    answers(calls, batch, ({ method }) => (method === 'list' ? ['a', head] : method === 'head' ? head : method))
  const sentinels = () => [
    {
      method: 'head',
      params: [],
      within: (method: string) => (method === 'list' ? (result: unknown) => (result as unknown[])[1] : null),
      read(result: unknown) {
        if (result !== 'new') throw new EndpointError('behind', badGateway('UPSTREAM_BEHIND', 'behind'))
        return undefined
      },
    },
  ]
  const { get, asked } = over([node], { sentinels })
  t.same(await Promise.all([get('x'), get('list')]), ['x', ['a', 'new']])
  t.equal(await get('x'), 'x')
  for (head of ['old', undefined]) {
    const [x, list] = await Promise.allSettled([get('x'), get('list')])
    t.match(x, { reason: { code: 'UPSTREAM_BEHIND' } }, 'whatever else was in the wave')
    t.match(list, { reason: { code: 'UPSTREAM_BEHIND' } })
  }
  t.same(asked, ['1:x+list', '1:head+x', '1:x+list', '1:x+list'])
})

t.test('only a node that says so gets no batches, for a while, and one that is busy gets them again', async (t) => {
  let now = 0
  for (const refused of [
    () => ({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'batches are not supported' } }),
    () => ({ jsonrpc: '2.0', id: null, error: { code: -32_601, message: 'method not found' } }),
    () => ({ error: 'Batch size exceeds plan' }),
    () => new Response('no batches', { status: 400 }),
    () => Response.json({ error: { code: 1, message: 'batch' } }, { status: 413 }),
  ]) {
    let refusing = true
    const { get, asked } = over([(calls, batch) => (batch && refusing ? refused() : answers(calls, batch))], { now: () => now })
    t.same(await wave(get), ['x', 'y'])
    refusing = false
    await wave(get)
    now += 600_000
    await wave(get)
    t.same(asked, ['1:x+y', '1:x', '1:y', '1:x', '1:y', '1:x+y'])
  }
  let times = 0
  const { get, asked } = over([(calls, batch) => (times++ === 0 ? { error: { code: -32_005 } } : answers(calls, batch))])
  await t.rejects(wave(get), { code: 'UPSTREAM_BUSY' })
  t.same(await wave(get), ['x', 'y'])
  t.same(asked, ['1:x+y', '1:x+y'])
})

t.test('a batch that a geth refuses is asked again in halves, and the next ones are no larger', async (t) => {
  // As recorded: one error in a list, under the first id; and an error for each answer that no longer fits.
  const tooMany: Node = (calls, batch) =>
    calls.length > 5 ? [{ jsonrpc: '2.0', id: calls[0]?.id, error: { code: -32_600, message: 'batch too large' } }] : answers(calls, batch)
  const tooLong: Node = (calls, batch) => {
    const all = answers(calls, batch) as object[]
    if (!batch || calls.length <= 5) return all
    const error = { code: -32_003, message: 'response too large' }
    return all.map((answer, at) => (at < 5 ? answer : { jsonrpc: '2.0', id: calls[at]?.id, error }))
  }
  const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  for (const node of [tooMany, tooLong]) {
    const { get, asked } = over([node])
    t.same(await Promise.all(eight.map(get)), eight)
    t.same(asked, ['1:a+b+c+d+e+f+g+h', '1:a+b+c+d', '1:e+f+g+h'])
    asked.length = 0
    t.same(await Promise.all(eight.map(get)), eight)
    t.same(asked, ['1:a+b+c+d', '1:e+f+g+h'], 'known from then on')
  }
  const one: Node = (calls, batch) =>
    calls.length > 1 ? [{ id: null, error: { code: -32_600, message: 'batch too large' } }] : answers(calls, batch)
  t.same(await wave(over([one]).get), ['x', 'y'], 'down to single calls')
  const failing: Node = (calls) => [{ id: calls[0]?.id, error: { code: -32_000, message: 'no' } }]
  const { get, asked } = over([failing])
  await t.rejects(wave(get), { code: 'UPSTREAM_ERROR' })
  t.same(asked, ['1:x+y'], 'an answer that is missing beside another error is none')
  const alone: Node = (calls) => ({ id: calls[0]?.id, error: { code: -32_003, message: 'response too large' } })
  await t.rejects(over([alone]).get('x'), { code: 'UPSTREAM_ERROR' })
})

t.test('a batch that Monad refuses goes on in halves, and a refused transaction among others is no refusal of the batch', async (t) => {
  const four = ['x', 'y', 'z', 'u']
  for (const message of ['number of requests in batch request exceeds limit of 2', 'response exceeds size limit']) {
    const error = { code: -32_603, message }
    const { get, asked } = over([(calls, batch) => (calls.length > 2 ? { id: null, error } : answers(calls, batch))])
    t.same(await Promise.all(four.map(get)), four, message)
    t.same(asked, ['1:x+y+z+u', '1:x+y', '1:z+u'])
  }
  const error = { code: -32_003, message: 'Insufficient funds for gas * price + value' }
  const refusing: Node = (calls) => calls.map(({ id, method }) => (method === 'x' ? { id, error } : { id, result: method }))
  const { get, asked } = over([refusing], { refusal: (_method, { message }) => badRequest('REFUSED', String(message)) })
  t.match(await Promise.allSettled(four.map(get)), [{ reason: { code: 'REFUSED' } }, { value: 'y' }, { value: 'z' }, { value: 'u' }])
  t.same(asked, ['1:x+y+z+u'])
})

t.test('a wave is cut into requests of the size that the endpoints take', async (t) => {
  const { get, asked } = over([healthy], { batchMax: 2 })
  await Promise.all(['a', 'b', 'c'].map(get))
  t.same(asked, ['1:a+b', '1:c'])
  const single = over([healthy], { batchMax: 1 })
  await wave(single.get)
  t.same(single.asked, ['1:x', '1:y'])
})

t.test('no batch is longer than what stands before a node lets through, however few calls it has', async (t) => {
  const lengths: number[] = []
  const node: Node = (calls, batch) => {
    lengths.push(JSON.stringify(calls).length)
    return answers(calls, batch)
  }
  const { rpc } = over([node])
  const long = (characters: number) => rpc.call('long', ['x'.repeat(characters)], (result) => result)
  t.same(await Promise.all([200_000, 200_001, 200_002, 10].map(long)), ['long', 'long', 'long', 'long'])
  t.equal(lengths.length, 2)
  t.ok(Math.max(...lengths) < 500_000)
  t.equal(await long(700_000), 'long', 'one call that is longer is asked by itself')
})

t.test('a node that takes less is asked again in halves, and the next batch is no larger', async (t) => {
  const small: Node = (calls, batch) => (calls.length > 2 ? new Response('too large', { status: 413 }) : answers(calls, batch))
  const { get, asked } = over([small])
  t.same(await Promise.all(['a', 'b', 'c', 'd'].map(get)), ['a', 'b', 'c', 'd'])
  t.same(asked, ['1:a+b+c+d', '1:a+b', '1:c+d'])
  await Promise.all(['a', 'b', 'c', 'd'].map(get))
  t.same(asked.slice(3), ['1:a+b', '1:c+d'])
})

t.test('large answers are parsed a turn apart, and a broken one holds up none behind it', async (t) => {
  let [turn, running] = [0, true]
  const count = () => {
    turn++
    if (running) setImmediate(count)
  }
  setImmediate(count)
  const at: number[] = []
  const parse = (text: string) => {
    at.push(turn)
    if (at.length === 1) throw new SyntaxError('broken')
    return JSON.parse(text)
  }
  const large: Node = (calls, batch) => answers(calls, batch, () => 'x'.repeat(600_000))
  const { get } = over([large, large], { batchMax: 1, parse })
  const [first, second] = await Promise.all([get('a'), get('b')])
  running = false
  t.same([String(first).length, String(second).length], [600_000, 600_000])
  t.equal(new Set(at).size, at.length, `in the turns ${at.join()}`)
})

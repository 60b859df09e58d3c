import t from 'tap'
import type { Repeatable, Upstream } from '../src/host.ts'
import { EndpointError, isEndpointError } from '../src/index.ts'
import { refusals } from '../src/refusals.ts'
import { createJsonRpc, type JsonRpcAgreement } from '../src/rpc.ts'

const { badGateway, badRequest } = refusals

type Call = { readonly id: number; readonly method: string; readonly params: unknown }
/** What a node answers to a call: a result, or an error. */
type Node = (method: string, params: readonly unknown[]) => { readonly result: unknown } | { readonly error: unknown }

const is =
  (results: Readonly<Record<string, unknown>>): Node =>
  (method) => {
    const result = Object.hasOwn(results, method) ? results[method] : 1
    return result instanceof Error ? { error: { code: -1, message: result.message } } : { result }
  }

/** Two nodes that have to agree, and a third for one that fails, as the core asks them; each call with what it was asked with. */
function over(
  nodes: readonly Node[],
  agreement?: JsonRpcAgreement,
  options: { readonly writes?: ReadonlySet<string> } = { writes: new Set(['send']) },
) {
  const asked: string[] = []
  const readings: (Repeatable<unknown> | undefined)[] = []
  const sendTo =
    (number: number): typeof fetch =>
    async (_input, init) => {
      const body = JSON.parse(String(init?.body)) as Call | Call[]
      const calls = [body].flat()
      asked.push(`${number}:${calls.map(({ method, params }) => `${method} ${(params as unknown[]).join()}`.trim()).join(' + ')}`)
      const answers = calls.map(({ id, method, params }) => ({ id, ...nodes[number - 1]!(method, params as unknown[]) }))
      return Response.json(Array.isArray(body) ? answers : answers[0])
    }
  const upstream: Pick<Upstream, 'exchange' | 'agreement'> = {
    agreement: 2,
    async exchange(work, reading) {
      readings.push(reading as Repeatable<unknown> | undefined)
      if (!reading) return work(sendTo(1), 1)
      let again: unknown
      let member = ''
      for (let round = 0; round < 2; round++) {
        const queue = nodes.map((_, index) => index + 1)
        const word = async () => {
          for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
            try {
              return await work(sendTo(number), number, again)
            } catch (error) {
              if (!isEndpointError(error) || queue.length === 0) throw isEndpointError(error) ? error.refusal : error
            }
          }
          throw badGateway('UPSTREAM_ERROR', 'one is missing')
        }
        const words = await Promise.allSettled([word(), word()])
        const [one, other] = words.map((each) => {
          if (each.status === 'rejected') throw each.reason
          return each.value
        })
        const comparison = reading.compare(one!, other!)
        if ('value' in comparison) return comparison.value
        member = comparison.member
        again = comparison.again
      }
      throw badGateway('UPSTREAM_ERROR', `they differ in ${member}`)
    },
  }
  const rpc = createJsonRpc(upstream, {
    batchMax: 10,
    refusal: (_method, { message }) =>
      message === 'busy' ? new EndpointError('busy', badGateway('UPSTREAM_ERROR', 'busy')) : badRequest('REFUSED', String(message)),
    ...options,
    ...(agreement ? { agreement } : {}),
    sentinels: () => [{ method: 'alive', params: [], read: () => undefined }],
  })
  const get = (method: string, ...params: unknown[]) => rpc.call(method, params, (result) => result)
  return { rpc, get, asked, readings }
}
const differ = { code: 'UPSTREAM_ERROR', message: /they differ in / }

t.test('without a declaration results are the same to the last member, or neither is believed', async (t) => {
  const right = { nonce: 7, more: ['a', { b: null }] }
  t.same(await over([is({ x: right }), is({ x: structuredClone(right) })]).get('x'), right)
  for (const wrong of [{ ...right, nonce: 8 }, { ...right, more: ['a', {}] }, { ...right, other: 1 }, null, 'x']) {
    await t.rejects(over([is({ x: right }), is({ x: wrong })]).get('x'), { message: 'they differ in x' })
    await t.rejects(over([is({ x: wrong }), is({ x: right })]).get('x'), { message: 'they differ in x' })
  }
})

t.test('a declaration names the member, what of a result counts, and which of two that are near is taken', async (t) => {
  const agreement: JsonRpcAgreement = {
    rule: (method) =>
      ({
        named: { member: 'nonce' },
        part: { part: (result: unknown) => (result as { value: unknown }).value },
        near: {
          choose: (one: unknown, other: unknown) =>
            (Math.abs(Number(one) - Number(other)) > 2 ? null : Number(one) < Number(other) ? 'one' : 'other') as 'one' | 'other' | null,
        },
        broken: {
          part: () => {
            throw new TypeError('no such member')
          },
        },
      })[method],
  }
  await t.rejects(over([is({ named: 1 }), is({ named: 2 })], agreement).get('named'), { message: 'they differ in nonce' })
  t.same(await over([is({ part: { slot: 1, value: 5 } }), is({ part: { slot: 2, value: 5 } })], agreement).get('part'), {
    slot: 1,
    value: 5,
  })
  await t.rejects(over([is({ part: { slot: 1, value: 5 } }), is({ part: { slot: 1, value: 6 } })], agreement).get('part'), differ)
  t.equal(await over([is({ near: 10 }), is({ near: 12 })], agreement).get('near'), 10)
  t.equal(await over([is({ near: 12 }), is({ near: 10 })], agreement).get('near'), 10)
  await t.rejects(over([is({ near: 13 }), is({ near: 10 })], agreement).get('near'), differ)
  await t.rejects(
    over([is({ broken: 1 }), is({ broken: 1 })], agreement).get('broken'),
    differ,
    'what cannot be compared is not agreed about',
  )
})

t.test('where they differ both are asked once more for the state of the lower height, unless one is far behind', async (t) => {
  const agreement: JsonRpcAgreement = {
    rule: () => undefined,
    height: {
      question: { method: 'height', params: [] },
      read: (result) => BigInt(String(result)),
      most: 3n,
      at: (_method, params, height) => (params as unknown[]).map((each) => (each === 'latest' ? `${height}` : each)),
    },
  }
  const chain =
    (head: number): Node =>
    (method, [at]) => ({ result: method === 'height' ? head : method === 'alive' ? 1 : at === 'latest' ? head : Number(at) })
  const moved = over([chain(10), chain(13)], agreement)
  t.equal(await moved.get('balance', 'latest'), 10)
  t.same(moved.asked, [
    '1:alive + height + balance latest',
    '2:alive + height + balance latest',
    '1:alive + height + balance 10',
    '2:alive + height + balance 10',
  ])
  await t.rejects(over([chain(10), chain(14)], agreement).get('balance', 'latest'), differ)
  await t.rejects(over([chain(14), chain(10)], agreement).get('balance', 'latest'), { message: 'they differ in height' })

  const still = over([chain(10), chain(10)], agreement)
  t.equal(await still.get('balance', 'latest'), 10)
  t.equal(still.asked.length, 2)
  const none: Node = (method) => ({ result: method === 'height' ? 'none' : 1 })
  t.equal(await over([none, chain(10), chain(10)], agreement).get('balance', 'latest'), 10, 'who says no height is followed by the next')
})

t.test('a sentinel that tells the height is asked once', async (t) => {
  const { get, asked } = over([is({ x: 1, alive: 5 }), is({ x: 1, alive: 5 })], {
    rule: () => undefined,
    height: {
      question: { method: 'alive', params: ['other'] },
      read: (result) => BigInt(String(result)),
      most: 1n,
      at: (_method, params) => params,
    },
  })
  t.equal(await get('x'), 1)
  t.same(asked, ['1:alive + x', '2:alive + x'])
})

t.test('what is another thing at each moment is confirmed by both, or neither is believed', async (t) => {
  const agreement: JsonRpcAgreement = {
    rule: (method) =>
      method === 'hash'
        ? {
            member: 'block hash',
            confirmation: (one, other) =>
              String(other).endsWith('far') ? null : { method: 'valid', params: [one], holds: (result) => result === true },
          }
        : undefined,
  }
  const node =
    (hash: string, known: (of: unknown) => unknown): Node =>
    (method, [of]) =>
      method === 'valid' ? ((known(of) as never) ?? { result: false }) : { result: method === 'hash' ? hash : 1 }
  const yes = () => ({ result: true })
  const agreed = over([node('a', yes), node('b', yes)], agreement)
  t.same(await Promise.all([agreed.get('hash'), agreed.get('x')]), ['a', 1])
  t.same(agreed.asked, ['1:alive + hash + x', '2:alive + hash + x', '1:alive + valid a + x', '2:alive + valid a + x'])
  for (const [one, other] of [
    [yes, () => ({ result: false })],
    [() => ({ result: false }), yes],
    [yes, () => ({ error: { message: 'no' } })],
    [() => ({ error: { message: 'no' } }), () => ({ error: { message: 'no' } })],
  ] as const)
    await t.rejects(over([node('a', one), node('b', other)], agreement).get('hash'), { message: 'they differ in block hash' })
  await t.rejects(over([node('a', yes), node('b far', yes)], agreement).get('hash'), { message: 'they differ in block hash' })
})

t.test('a refusal is one where both refuse, in whatever words', async (t) => {
  await t.rejects(over([is({ x: new Error('no funds') }), is({ x: new Error('out of funds') })]).get('x'), {
    code: 'REFUSED',
    message: 'no funds',
  })
  await t.rejects(over([is({ x: new Error('no funds') }), is({ x: 1 })]).get('x'), differ)
  await t.rejects(over([is({ x: 1 }), is({ x: new Error('no funds') })]).get('x'), differ)
})

t.test(
  'each call of a wave is believed by itself where two endpoints agree about it, and an endpoint does not agree with itself',
  async (t) => {
    const { get } = over([is({ x: 1, y: 2 }), is({ x: 1, y: 3 })])
    const [x, y] = await Promise.allSettled([get('x'), get('y')])
    t.match(x, { status: 'fulfilled', value: 1 })
    t.match(y, { status: 'rejected', reason: differ })

    const busy = over([is({ x: 1, y: new Error('busy') }), is({ x: 1, y: new Error('busy') })])
    const [first, second] = await Promise.allSettled([busy.get('x'), busy.get('y')])
    t.match(first, { status: 'fulfilled', value: 1 }, 'what none of them answers takes nothing away from what both do')
    t.match(second, { status: 'rejected', reason: { message: 'busy' } })

    const alone = over([is({ x: 1, y: new Error('busy') }), is({ x: new Error('busy'), y: 2 })])
    const ends = await Promise.allSettled([alone.get('x'), alone.get('y')])
    t.same(
      ends.map(({ status }) => status),
      ['rejected', 'rejected'],
      'one word is not enough',
    )
  },
)

t.test('only what is known to change nothing is a reading, and its kind says about how much it is', async (t) => {
  const { rpc, get, readings } = over([is({}), is({})])
  await Promise.all([get('b'), get('a'), get('b')])
  await get('send')
  await Promise.all([get('a'), get('send')])
  await rpc.call('a', [], (result) => result, 'before')
  await rpc.call('a', [], (result) => result, 'not')
  const kinds = () => readings.map((reading) => reading?.kind ?? null)
  t.same(kinds(), ['a+b 4', null, null, null, null])
  const silent = over([is({ a: 1 }), is({ a: 2 })], undefined, {})
  t.equal(await silent.get('a'), 1, 'a client that does not say what writes is asked of one endpoint at a time')
  t.same(
    silent.readings.map((reading) => reading === undefined),
    [true],
  )
})

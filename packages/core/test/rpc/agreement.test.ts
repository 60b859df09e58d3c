import { declareErrors, EndpointError } from '@svc/contract'
import type { Repeatable } from '@svc/contract/host'
import t from 'tap'
import { createRpc, type RpcOptions } from '../../src/rpc/rpc.ts'

const { badRequest, notFound, unavailable } = declareErrors({
  CHAIN_WOULD_REFUSE: [400, 'Chain would refuse.'],
  NOT_THERE: [404, 'Not there.'],
})

/** What each endpoint says, time after time; the last word stays. */
type Says = Readonly<Record<string, readonly (string | Error)[]>>

const same: Repeatable<string> = {
  kind: 'word',
  compare: (one, other) => (one === other ? { value: one } : { member: 'nonce', again: `${one} or ${other}` }),
}

function group(says: Says, options: Partial<RpcOptions> = {}) {
  const asked: string[] = []
  const hints: unknown[] = []
  const counted: string[] = []
  const logged: object[] = []
  const rpc = createRpc({
    endpoints: Object.keys(says).map((letter) => ({ url: `http://${letter}.test/` })),
    name: 'hub-two main rpc',
    agreement: 2,
    log: { warn: (line: object) => logged.push(line) } as RpcOptions['log'],
    metrics: {
      upstream: () => undefined,
      count: (name, _help, labels) => counted.push([name, ...Object.values(labels ?? {}).slice(1)].join(' ')),
    },
    fetch: (async (address: string) => {
      const letter = new URL(address).hostname[0]!
      const words = says[letter]!
      const word = words[Math.min(asked.filter((each) => each === letter).length, words.length - 1)]!
      asked.push(letter)
      if (word instanceof Error) throw word
      return new Response(word)
    }) as typeof fetch,
    ...options,
  })
  const work = async (send: typeof fetch, _endpoint: number, again?: unknown) => {
    hints.push(again)
    const word = await (await send('http://upstream.invalid/')).text()
    if (word.startsWith('refuse')) throw badRequest('CHAIN_WOULD_REFUSE', word)
    if (word.startsWith('lack')) throw notFound('NOT_THERE', word)
    if (word === 'behind') throw new EndpointError('behind', unavailable('UPSTREAM_BEHIND', 'behind', 60))
    return word
  }
  return { rpc, work, read: () => rpc.exchange(work, same), asked, hints, counted, logged }
}
const down = () => new TypeError('fetch failed')

t.test('a reading is believed where two say the same, and both are asked once', async (t) => {
  const { read, asked, hints, counted, rpc } = group({ a: ['7'], b: ['7'], c: ['7'] })
  t.equal(rpc.agreement, 2)
  t.equal(await read(), '7')
  t.same(asked, ['a', 'b'])
  t.same(hints, [undefined, undefined])
  t.same(counted, [])
})

t.test(
  'both are asked once more where they differ, with what the comparison wants to hand over, and then neither is believed',
  async (t) => {
    const moved = group({ a: ['7', '8'], b: ['8'] })
    t.equal(await moved.read(), '8')
    t.same(moved.asked, ['a', 'b', 'a', 'b'])
    t.same(moved.hints, [undefined, undefined, '7 or 8', '7 or 8'])
    t.same(moved.counted, ['svc_upstream_disagreements_total nonce settled'])
    t.same(moved.logged, [])

    const apart = group({ a: ['7'], b: ['8'] })
    await t.rejects(apart.read(), {
      statusCode: 502,
      code: 'UPSTREAM_DISAGREES',
      message: 'The endpoints of hub-two main rpc do not agree about nonce, so that neither is believed; try again in a few seconds.',
    })
    t.same(apart.asked, ['a', 'b', 'a', 'b'], 'once more, and no further')
    t.same(apart.counted, ['svc_upstream_disagreements_total nonce refused'])
    t.same(apart.logged, [{ upstream: 'hub-two main rpc', member: 'nonce' }])
    t.match(apart.rpc.endpoints(), [{ healthy: true }, { healthy: true }], 'nobody knows which of them is wrong')
  },
)

t.test('the next endpoint speaks for one that fails, and one alone is not believed', async (t) => {
  for (const word of [down(), 'behind']) {
    const { read, asked } = group({ a: [word], b: ['7'], c: ['7'] })
    t.equal(await read(), '7')
    t.same(asked, ['a', 'b', 'c'])
    const other = group({ a: ['7'], b: [word], c: ['8'] })
    await t.rejects(other.read(), { code: 'UPSTREAM_DISAGREES' })
    const alone = group({ a: ['7'], b: [word] })
    await t.rejects(alone.read(), { code: word === 'behind' ? 'UPSTREAM_BEHIND' : 'UPSTREAM_UNAVAILABLE' })
    t.same(alone.asked, ['a', 'b'])
  }
})

t.test('one of two whose connection was cut is asked once more, where nobody else could speak for it', async (t) => {
  const cut = Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('cut'), { code: 'ECONNRESET' }) })
  const two = group({ a: ['7'], b: [cut, '7'] })
  t.equal(await two.read(), '7')
  t.same(two.asked, ['a', 'b', 'b'])
  await t.rejects(group({ a: ['7'], b: [cut, cut] }).read(), { code: 'UPSTREAM_UNAVAILABLE' })
  const three = group({ a: ['7'], b: [cut, '7'], c: ['7'] })
  t.equal(await three.read(), '7')
  t.same(three.asked, ['a', 'b', 'c'])
})

t.test('a verdict is one that both give', async (t) => {
  await t.rejects(group({ a: ['refuse: no funds'], b: ['refuse: out of funds'] }).read(), {
    code: 'CHAIN_WOULD_REFUSE',
    message: 'refuse: no funds',
  })
  for (const says of [
    { a: ['refuse'], b: ['7'] },
    { a: ['7'], b: ['refuse'] },
    { a: ['refuse'], b: ['lack'] },
  ]) {
    const { read, asked } = group(says)
    await t.rejects(read(), { code: 'UPSTREAM_DISAGREES', message: /what the chain says to it/ })
    t.equal(asked.length, 4)
  }
  t.equal(await group({ a: ['refuse', '7'], b: ['7'] }).read(), '7')
})

t.test('what is no reading, what is asked of one endpoint by itself, and what may say so of itself takes one word', async (t) => {
  const { rpc, work, asked } = group({ a: ['7'], b: ['8'] })
  t.equal(await rpc.exchange(work), '7')
  t.equal(await rpc.alone!.exchange(work, same), '7')
  t.equal(await (await rpc.fetch('http://upstream.invalid/')).text(), '7')
  t.same(await Promise.all(rpc.singles().map((one) => one.exchange(work, same))), ['7', '8'])
  t.same(asked, ['a', 'a', 'a', 'a', 'b'])
})

t.test('a fault of the work is no verdict, and a group that is closed answers nothing', async (t) => {
  const { rpc, read } = group({ a: ['7'], b: ['7'] })
  const fault = new RangeError('a fault of ours')
  await t.rejects(
    rpc.exchange(async () => {
      throw fault
    }, same),
    fault,
  )
  rpc.close()
  await t.rejects(read(), { name: 'AbortError' })
})

t.test('when the time is over nobody else is asked', async (t) => {
  let ms = 0
  const { rpc, work, asked } = group({ a: ['7'], b: ['8'] }, { now: () => ms, deadlineMs: 1000 })
  const slow: Repeatable<string> = {
    kind: 'word',
    compare(one, other) {
      ms += 1000
      return one === other ? { value: one } : { member: 'nonce' }
    },
  }
  await t.rejects(rpc.exchange(work, slow), { statusCode: 504, code: 'UPSTREAM_TIMEOUT' })
  t.same(asked, ['a', 'b'])
})

t.test('one that has recovered is learnt of in the background, where it is not one of the two', async (t) => {
  let ms = 0
  const { read, asked, rpc } = group({ a: [down(), '7'], b: ['7'], c: ['7'] }, { now: () => ms })
  t.equal(await read(), '7')
  asked.length = 1
  ms += 1000
  t.equal(await read(), '7')
  t.same(asked.slice(1).toSorted(), ['a', 'b', 'c'])
  t.match(rpc.endpoints(), [{ healthy: true }, { healthy: true }, { healthy: true }])
  asked.length = 1
  t.equal(await read(), '7')
  t.same(asked.slice(1), ['a', 'b'])
})

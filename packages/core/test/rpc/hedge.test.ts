// alone: its timers are moved by the test
import { mock } from 'node:test'
import { declareErrors, EndpointError } from '@svc/contract'
import t from 'tap'
import { createRpc, type RpcOptions } from '../../src/rpc/rpc.ts'

const { badRequest, unavailable } = declareErrors({ CHAIN_WOULD_REFUSE: [400, 'Chain would refuse.'] })

/** How an endpoint answers: after so many milliseconds of the clock, at once; or when the test says so. */
type Answer = number | 'held' | Error

/** Two endpoints, whose clock is moved by their answers and by the test alone. */
function group(options: Partial<RpcOptions> = {}) {
  // What is asked in the background costs the clock nothing.
  const answers: Record<string, Answer> = { a: 5, b: 0 }
  const asked: string[] = []
  const ended: string[] = []
  const held = new Map<string, ((failure?: Error) => void)[]>()
  const counted = new Map<string, number>()
  const clock = { ms: 0 }
  const rpc = createRpc({
    endpoints: ['a', 'b'].map((letter) => ({ url: `http://${letter}.test/` })),
    name: 'hub-two main rpc',
    log: { warn: () => undefined },
    now: () => clock.ms,
    metrics: {
      upstream: () => undefined,
      count: (name, _help, labels) => {
        const key = [name.replace(/^svc_upstream_|_total$/g, ''), ...Object.values(labels ?? {}).slice(1)].join(' ')
        counted.set(key, (counted.get(key) ?? 0) + 1)
      },
    },
    fetch: (async (address: string, init?: RequestInit) => {
      const letter = new URL(address).hostname[0]!
      asked.push(letter)
      init?.signal?.addEventListener('abort', () => String(init.signal?.reason).includes('another endpoint') && ended.push(letter))
      const answer = answers[letter]!
      if (answer instanceof Error) throw answer
      if (answer === 'held')
        await new Promise<void>((resolve, reject) => {
          held.set(letter, [...(held.get(letter) ?? []), (failure) => (failure ? reject(failure) : resolve())])
        })
      else clock.ms += answer
      return new Response(letter)
    }) as typeof fetch,
    ...options,
  })
  const work = async (send: typeof fetch) => (await send('http://upstream.invalid/')).text()
  const reading = { kind: 'k', compare: (one: string) => ({ value: one }) }
  const read = () => rpc.exchange(work, reading)
  const release = (letter: string, failure?: Error) => held.get(letter)?.shift()?.(failure)
  /** So many answers of five milliseconds each, so that patience ends after ten: what is known of the first endpoint, and by the way of the second. */
  const warm = async (times = 40) => {
    for (let time = 0; time < times; time++) await read()
    asked.length = 0
  }
  /** Moves the timers on, and lets all that follows happen. */
  const pass = async (ms: number) => {
    clock.ms += ms
    // By the millisecond, since a long limit has several timers, one after the other.
    for (let passed = 0; passed < ms; passed++) {
      mock.timers.tick(1)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await settled()
  }
  return { rpc, read, work, reading, answers, asked, ended, counted, clock, warm, pass, release }
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

t.before(() => mock.timers.enable({ apis: ['setTimeout'] }))
t.teardown(() => mock.timers.reset())

t.test('a reading whose first endpoint takes too long goes to the second as well, and the first answer counts', async (t) => {
  const { read, answers, asked, ended, counted, warm, pass, release, rpc } = group()
  await warm()
  answers.a = 'held'
  answers.b = 'held'
  const late = read()
  await settled()
  await pass(9)
  t.same(asked, ['a'], 'twice the median of its answers is ten milliseconds')
  await pass(1)
  t.same(asked, ['a', 'b'])
  release('b')
  t.equal(await late, 'b')
  t.same(ended, ['a'], 'the other one is ended')
  t.equal(counted.get('hedges won'), 1)
  t.match(rpc.endpoints(), [{ healthy: true }, { healthy: true }], 'late once is no failure')

  const close = read()
  await settled()
  await pass(10)
  release('a')
  release('a')
  t.equal(await close, 'a', 'the first one may still come first')
  t.same(ended, ['a', 'b'])
  t.equal(counted.get('hedges lost'), 1)
})

t.test(
  'nothing is asked twice before twenty answers are known, nor where the operator does not want it, nor what is no reading',
  async (t) => {
    for (const [name, options, times] of [
      ['few answers', {}, 19],
      ['switched off', { hedge: false }, 40],
    ] as const) {
      const { read, answers, asked, warm, pass, release } = group(options)
      await warm(times)
      answers.a = 'held'
      const late = read()
      await settled()
      await pass(2000)
      t.same(
        asked.filter((letter) => letter === 'a'),
        ['a'],
      )
      t.same(asked.length, 1, name)
      release('a')
      t.equal(await late, 'a')
    }
    const { rpc, work, answers, asked, warm, pass, release } = group()
    await warm()
    answers.a = 'held'
    for (const ask of [() => rpc.exchange(work), async () => (await rpc.fetch('http://upstream.invalid/')).text()]) {
      const late = ask()
      await settled()
      await pass(2000)
      release('a')
      t.equal(await late, 'a')
    }
    t.same(asked, ['a', 'a'], 'what may change something goes to one endpoint')
  },
)

t.test('patience ends after twice the median, also where some are late, and after half of the longest wait', async (t) => {
  const { read, answers, asked, warm, pass, release, clock } = group()
  await warm(30)
  answers.a = 1000
  for (let time = 0; time < 10; time++) await read()
  asked.length = 0
  answers.a = 'held'
  answers.b = 'held'
  const late = read()
  await settled()
  await pass(9)
  t.same(asked, ['a'])
  await pass(1)
  t.same(asked, ['a', 'b'])
  release('a')
  await late
  t.ok(clock.ms > 0)

  const slow = group({ timeoutMs: 1000 })
  slow.answers.a = 800
  slow.answers.b = 800
  await slow.warm()
  slow.answers.a = 'held'
  const half = slow.read()
  await settled()
  await slow.pass(499)
  t.same(slow.asked, ['a'])
  await slow.pass(1)
  t.same(slow.asked, ['a', 'b'])
  t.equal(await half, 'b')
})

t.test(
  'a failure of the second does not end the reading, a failure of the first sends it on, and a verdict of either is final',
  async (t) => {
    const { answers, read, warm, pass, release, asked, rpc, work, reading } = group()
    await warm()
    answers.a = 'held'
    answers.b = new TypeError('fetch failed')
    const first = read()
    await settled()
    await pass(10)
    t.same(asked, ['a', 'b'])
    release('a')
    t.equal(await first, 'a')

    answers.b = 10
    answers.a = new TypeError('fetch failed')
    t.equal(await read(), 'b', 'failover, as ever')
    t.match(rpc.endpoints(), [{ healthy: false }, { healthy: true }])

    const verdict = group()
    await verdict.warm()
    verdict.answers.a = 'held'
    const refusing = async (send: typeof fetch) => {
      if ((await work(send)) === 'b') throw badRequest('CHAIN_WOULD_REFUSE', 'no')
      return 'a'
    }
    const refused = t.rejects(verdict.rpc.exchange(refusing, reading), { code: 'CHAIN_WOULD_REFUSE' })
    await settled()
    await verdict.pass(10)
    await refused

    const none = group()
    none.answers.a = new TypeError('fetch failed')
    none.answers.b = new TypeError('fetch failed')
    await t.rejects(none.read(), { code: 'UPSTREAM_UNAVAILABLE' })
    t.same(none.asked, ['a', 'b'])
    const judged = group()
    await t.rejects(
      judged.rpc.exchange(async () => {
        throw new EndpointError('behind', unavailable('UPSTREAM_BEHIND', 'behind', 60))
      }, reading),
      { code: 'UPSTREAM_BEHIND' },
    )
  },
)

t.test('what both fail at is asked of the third', async (t) => {
  const { rpc, work, reading, warm, answers, pass, release, asked } = group({
    endpoints: ['a', 'b', 'c'].map((letter) => ({ url: `http://${letter}.test/` })),
  })
  answers.c = 10
  await warm()
  answers.a = 'held'
  answers.b = 'held'
  const late = rpc.exchange(work, reading)
  await settled()
  await pass(10)
  release('a', new TypeError('fetch failed'))
  await settled()
  t.same(asked, ['a', 'b'], 'the second one is under way')
  release('b', new TypeError('fetch failed'))
  t.equal(await late, 'c')
  t.same(asked, ['a', 'b', 'c'])
})

t.test(
  'a tenth of the readings may be asked twice, and twenty that were saved up, of which ten are for those that go on being late',
  async (t) => {
    const { read, answers, asked, counted, warm, clock, release } = group()
    await warm()
    /** A reading that is late by so many patiences. */
    const late = async (patiences: number) => {
      const before = asked.length
      answers.a = 'held'
      answers.b = 'held'
      const reading = read()
      await settled()
      // Of the timers alone: to the pace of the first endpoint all of them take five milliseconds.
      for (let time = 0; time < patiences; time++) {
        mock.timers.tick(10)
        await settled()
      }
      clock.ms += 5
      release('a')
      await reading
      return asked.length - before === 2
    }
    /** How many of those that are so late are asked of the second one, one after the other. */
    const count = async (patiences: number) => {
      let times = 0
      while (await late(patiences)) times++
      return times
    }
    t.equal(await count(1), 11, 'ten, and one that eleven readings earned')
    t.equal(counted.has('hedges denied'), false, 'one that was answered soon after was not denied anything')
    t.equal(await count(2), 2, 'those that are later may take two of the ten')
    t.equal(counted.has('hedges denied'), false)
    t.equal(await count(6), 9, 'and at last all of them')
    t.equal(counted.get('hedges denied'), 1)
    t.equal(await count(8), 0)
    t.equal(counted.get('hedges denied'), 2, 'once for each reading')
    answers.a = 10
    for (let time = 0; time < 7; time++) await read()
    t.equal(await late(6), true)
    t.equal(await late(6), false)
    t.equal(counted.get('hedges lost'), 23)
  },
)

t.test('an endpoint that takes calls and answers none rests after five readings, and comes back without a customer waiting', async (t) => {
  const { rpc, read, answers, asked, warm, pass, release } = group()
  await warm()
  answers.a = 'held'
  for (let time = 0; time < 5; time++) {
    t.match(rpc.endpoints()[0], { healthy: true }, `${time} in a row`)
    const late = read()
    await settled()
    await pass(10)
    t.equal(await late, 'b')
  }
  t.match(rpc.endpoints(), [{ healthy: false, reason: 'slow' }, { healthy: true }])
  asked.length = 0
  t.equal(await read(), 'b')
  t.same(asked, ['b'], 'nobody waits for it')

  await pass(1000)
  t.equal(await read(), 'b')
  await settled()
  t.same(asked.toSorted(), ['a', 'b', 'b'], 'asked in the background')
  t.equal(await read(), 'b')
  t.same(asked.toSorted(), ['a', 'b', 'b', 'b'], 'once at a time')
  release('a')
  release('a')
  release('a')
  release('a')
  release('a')
  release('a')
  await settled()
  t.match(rpc.endpoints()[0], { healthy: true })
  answers.a = 10
  t.equal(await read(), 'a')
})

t.test('five late answers with one in time among them are no failure', async (t) => {
  const { rpc, read, answers, warm, pass } = group()
  await warm()
  for (let time = 0; time < 8; time++) {
    answers.a = 'held'
    const late = read()
    await settled()
    await pass(10)
    await late
    answers.a = 10
    if (time % 4 === 3) await read()
  }
  t.match(rpc.endpoints()[0], { healthy: true })
})

t.test(
  'the next one is asked first while the first takes twice as long, and the order is that of the config again when it does not',
  async (t) => {
    /** Readings in which the endpoints take so long, whichever of them are asked. */
    const readings = async (
      { read, answers, pass, release, asked }: ReturnType<typeof group>,
      ms: Readonly<Record<'a' | 'b', number>>,
      times = 100,
    ) => {
      answers.a = 'held'
      answers.b = 'held'
      const order = ms.a < ms.b ? (['a', 'b'] as const) : (['b', 'a'] as const)
      for (let time = 0; time < times; time++) {
        asked.length = 0
        const reading = read()
        await settled()
        await pass(ms[order[0]])
        release(order[0])
        await settled()
        await pass(ms[order[1]] - ms[order[0]])
        release(order[1])
        await reading
      }
      return asked.slice(0, 1)
    }
    const apart = group()
    t.same(await readings(apart, { a: 100, b: 40 }), ['b'])
    t.match(apart.rpc.endpoints(), [{ slow: true, healthy: true }, { slow: false }])
    apart.clock.ms += 300_000
    t.same(await readings(apart, { a: 40, b: 40 }), ['a'])
    t.match(apart.rpc.endpoints()[0], { slow: false })

    t.same(await readings(group(), { a: 50, b: 26 }), ['a'], 'of less than twice as long')
    t.same(await readings(group(), { a: 30, b: 6 }), ['a'], 'and of a difference that nobody notices')
  },
)

t.test('a second endpoint of which more than half of the places are taken is not asked as well, until some are free', async (t) => {
  const { rpc, work, read, answers, asked, warm, pass, release } = group({ mostInFlight: 4 })
  await warm()
  answers.b = 'held'
  const [, second] = rpc.singles()
  const under = [1, 2, 3].map(() => second!.exchange(work))
  await settled()
  asked.length = 0
  answers.a = 'held'
  const late = read()
  await settled()
  for (let time = 0; time < 4; time++) await pass(10)
  t.same(asked, ['a'])
  release('b')
  await under[0]
  await pass(10)
  t.same(asked, ['a', 'b'])
  for (const letter of ['a', 'b', 'b', 'b']) release(letter)
  await Promise.all([late, ...under])
})

import { EndpointError, type Sender, type ServiceError } from '@svc/contract'
import { eventually } from '@svc/testing/eventually'
import t from 'tap'
import { createRpc } from '../../src/rpc/rpc.ts'

const SECOND = 1_000
const START = Date.parse('2026-11-28T12:00:00Z')

/** Endpoints of a chain, each behind its head by so many seconds, on a clock that the test turns. */
function chain(lags: Record<string, number>, options: { readonly tells?: boolean; readonly agreement?: 1 | 2 } = {}) {
  const clock = { ms: 0 }
  const asked: string[] = []
  const log: { msg: string; endpoint: number }[] = []
  const down = new Set<string>()
  const rpc = createRpc({
    endpoints: Object.keys(lags).map((letter) => ({ url: `http://${letter}.test/` })),
    name: 'evm 1 rpc',
    log: { warn: (line: unknown, msg?: string) => void log.push({ ...(line as { endpoint: number }), msg: String(msg) }) },
    now: () => clock.ms,
    wall: () => START + clock.ms,
    agreement: options.agreement ?? 1,
    fetch: (async (address: string) => {
      const letter = new URL(address).hostname[0]!
      asked.push(letter)
      if (down.has(letter)) throw new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
      return new Response(letter)
    }) as typeof fetch,
  })
  const work = async (send: Sender) => {
    const letter = await (await send('http://upstream.invalid/')).text()
    if (options.tells !== false) send.saw?.(new Date(START + clock.ms - (lags[letter] ?? 0) * SECOND))
    return letter
  }
  const reading = { kind: 'k', compare: (one: string) => ({ value: one }) }
  const read = () => rpc.exchange(work, reading)
  /** Reads, and waits for what is asked in the background. */
  const settled = async () => {
    const answer = await read()
    await eventually('nothing is under way', () => rpc.inFlight().running === 0)
    return answer
  }
  return { rpc, work, clock, asked, log, lags, down, read, settled, send: () => rpc.exchange(work) }
}

t.test('an endpoint that is behind another one is asked last, for readings and for what is sent, and says so', async (t) => {
  const { rpc, settled, send, log, lags, clock } = chain({ a: 240, b: 3, c: 0 })
  t.equal(await settled(), 'a', 'nothing is known of the others')
  t.equal(await settled(), 'b')
  t.equal(await settled(), 'b', 'in the order of the config, among those that are not behind')
  t.equal(await send(), 'b')
  t.same(
    rpc.endpoints().map(({ behindMs }) => behindMs),
    [240_000, null, null],
  )
  t.match(log, [{ msg: /is behind another one: it is asked last/, endpoint: 1, behind_s: /^2(37|40)$/ }])
  lags.a = 1
  clock.ms += 16 * SECOND
  await settled()
  t.equal(await settled(), 'a', 'it was asked in the background, and has caught up')
  t.match(log.at(-1), { msg: /has caught up/, endpoint: 1 })
})

t.test('blocks of the slowest chain, and the time between two looks, are no lag', async (t) => {
  const { settled, clock, rpc } = chain({ a: 17, b: 0 })
  for (let turn = 0; turn < 5; turn++) {
    t.equal(await settled(), 'a')
    clock.ms += 14 * SECOND
  }
  t.same(
    rpc.endpoints().map(({ behindMs }) => behindMs),
    [null, null],
  )
})

t.test('others are asked in the background once in 15 s, and not where nobody tells a head', async (t) => {
  const told = chain({ a: 0, b: 0 })
  for (let second = 0; second < 60; second++) {
    await told.settled()
    told.clock.ms += SECOND
  }
  const looks = told.asked.filter((letter) => letter === 'b').length
  t.ok(looks >= 3 && looks <= 5, `${looks} looks at the second in a minute`)
  const silent = chain({ a: 0, b: 0 }, { tells: false })
  for (let turn = 0; turn < 5; turn++) {
    await silent.settled()
    silent.clock.ms += 20 * SECOND
  }
  t.notOk(silent.asked.includes('b'))
})

t.test('one that is behind is better than none', async (t) => {
  const { settled, down } = chain({ a: 0, b: 100 })
  await settled()
  await settled()
  down.add('a')
  t.equal(await settled(), 'b')
})

t.test('a head from the future makes nobody look late, and one that is alone is behind nobody', async (t) => {
  const { settled, rpc } = chain({ a: 0, b: -3_600 })
  for (let turn = 0; turn < 3; turn++) t.equal(await settled(), 'a')
  t.same(
    rpc.endpoints().map(({ behindMs }) => behindMs),
    [null, null],
  )
  const wrongClock = chain({ a: -3_000, b: -3_600 })
  await wrongClock.settled()
  t.equal(await wrongClock.settled(), 'b', 'where all are ahead of it, it is this clock that is wrong')
  const alone = chain({ a: 500 })
  t.equal(await alone.settled(), 'a')
  t.equal(alone.rpc.endpoints()[0]?.behindMs, null)
})

t.test('a head that was told long ago is compared with nobody', async (t) => {
  const { settled, clock, down, rpc, lags } = chain({ a: 10, b: 0 })
  await settled()
  await settled()
  down.add('b')
  // The chain stands still: each minute the same head is a minute older.
  for (let minute = 1; minute < 4; minute++) {
    clock.ms += 61 * SECOND
    lags.a = 10 + minute * 61
    t.equal(await settled(), 'a')
  }
  t.equal(rpc.endpoints()[0]?.behindMs, null)
})

t.test('of three, the two that are not behind have to agree', async (t) => {
  const { rpc, settled, asked } = chain({ a: 240, b: 0, c: 0 }, { agreement: 2 })
  await settled()
  await settled()
  asked.length = 0
  await settled()
  t.same(asked.toSorted(), ['b', 'c'])
  t.equal(rpc.endpoints()[0]?.behindMs, 240_000)
})

t.test('what is refused as too old by the kit is refused all the same, and told to nobody as a lag', async (t) => {
  const { rpc } = chain({ a: 0 })
  const refusal = Object.assign(new Error('behind'), {
    name: 'ServiceError',
    statusCode: 503,
    code: 'UPSTREAM_BEHIND',
  }) as unknown as ServiceError
  const late = () => Promise.reject(new EndpointError('behind', refusal))
  await t.rejects(rpc.exchange(late, { kind: 'k', compare: (one) => ({ value: one }) }))
  t.equal(rpc.endpoints()[0]?.behindMs, null)
})

import { mock } from 'node:test'
import type { Info } from '@svc/contract'
import { memoryLog } from '@svc/testing/paper'
import { NO_TERMS } from '@svc/testing/paper-protocol'
import t, { type Test } from 'tap'
import { createKeyStore, memoryRecords, type Records } from '../../src/plugins/network/key-store.ts'
import { createSnapshot } from '../../src/plugins/network/snapshot.ts'
import { refusals } from './support/host.ts'

const { badGateway } = refusals

const MINUTE = 60_000

/** A snapshot over answers that the test gives one by one, on timers and a clock that stand still until told. */
function setUp(t: Test, records: Records = memoryRecords(), now = 0) {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'], now })
  const asked: PromiseWithResolvers<Info>[] = []
  const log = memoryLog()
  const snapshot = createSnapshot(
    () => {
      const next = Promise.withResolvers<Info>()
      asked.push(next)
      return next.promise
    },
    { log, now: () => new Date(), store: createKeyStore(records, 'place', log) },
  )
  t.teardown(() => {
    snapshot.close()
    mock.timers.reset()
  })
  return {
    snapshot,
    /** The terms that apply. */
    read: async () => applying((await snapshot.read()).terms),
    log,
    asked,
    async pass(ms: number) {
      mock.timers.tick(ms)
      await settled()
    },
    async answer(info: Partial<Info> | Error) {
      const next = asked.at(-1)!
      if (info instanceof Error) next.reject(info)
      else next.resolve({ ...NO_TERMS, ...info })
      await settled()
    },
  }
}

function applying(terms: object): object {
  return Object.fromEntries(Object.entries(terms).filter(([, value]) => value !== null))
}

/** Lets what waits for a promise go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

t.test('the first request waits for the first refresh, and all who come meanwhile share it', async (t) => {
  const { read, asked, answer } = setUp(t)
  let answered = 0
  const reads = [read(), read()].map((each) => each.finally(() => answered++))
  await settled()
  t.equal(answered, 0)
  t.equal(asked.length, 1)
  await answer({ aprPercent: 1, users: null })
  t.same(await Promise.all(reads), [{ aprPercent: 1 }, { aprPercent: 1 }])
})

t.test('within the hour nobody asks the sources again; after it the old values are answered while new ones are on their way', async (t) => {
  const { read, asked, answer, pass } = setUp(t)
  const first = read()
  await answer({ aprPercent: 1 })
  await first
  await pass(59 * MINUTE)
  t.same(await read(), { aprPercent: 1 })
  t.equal(asked.length, 1)
  await pass(MINUTE)
  t.equal(asked.length, 2)
  t.same(await read(), { aprPercent: 1 })
  await answer({ aprPercent: 2 })
  t.same(await read(), { aprPercent: 2 })
})

t.test('a member whose source failed keeps its last good value and its time, and is asked for again after a minute', async (t) => {
  const { snapshot, read, asked, answer, pass } = setUp(t)
  const first = read()
  await answer({ aprPercent: 1, users: 5, maxStake: null })
  await first
  await pass(60 * MINUTE)
  await answer({ aprPercent: undefined, users: 6, maxStake: undefined })
  t.same(await read(), { aprPercent: 1, users: 6 })
  t.equal((await snapshot.read()).takenAt.getTime(), 0, 'the whole is as old as its oldest value')
  await pass(MINUTE)
  t.equal(asked.length, 3)
  await answer({ aprPercent: 3, users: null, maxStake: null })
  t.same(await read(), { aprPercent: 3 })
  t.equal((await snapshot.read()).takenAt.getTime(), 61 * MINUTE)
  await pass(59 * MINUTE)
  t.equal(asked.length, 3)
})

t.test('a member that never was known makes the answer a 503 that names it, not a null', async (t) => {
  const { read, asked, answer, log } = setUp(t)
  const first = read()
  first.catch(() => undefined)
  await answer({ aprPercent: undefined, users: 1 })
  await t.rejects(first, { statusCode: 503, code: 'STAKING_INFO_INCOMPLETE', retryAfter: 60, message: /\(aprPercent\)/ })
  const second = read()
  t.equal(asked.length, 2, 'and the next request asks again')
  await answer({ aprPercent: 2, users: undefined })
  t.same(await second, { aprPercent: 2, users: 1 })
  t.same(log.lines, [], 'what was not read is no lie of the chain')
})

t.test('what cannot be a term is taken for unread, and told in the log', async (t) => {
  const { read, answer, log } = setUp(t)
  const first = read()
  first.catch(() => undefined)
  await answer({ aprPercent: Number.NaN, users: 2 ** 53, tvl: 5 as never, minStake: -1n })
  await t.rejects(first, { code: 'STAKING_INFO_INCOMPLETE', message: /\(aprPercent, minStake, users, tvl\)/ })
  t.match(log.lines, [{ level: 'error', details: { members: ['aprPercent NaN', 'minStake -1', 'users 9007199254740992', 'tvl 5'] } }])
})

t.test('what is counted over several refreshes is asked for again after a minute', async (t) => {
  const { read, asked, answer, pass } = setUp(t)
  const first = read()
  await answer({ users: null, unfinished: true })
  t.same(await first, {})
  await pass(MINUTE)
  t.equal(asked.length, 2)
  await answer({ users: 2_500 })
  t.same(await read(), { users: 2_500 })
  await pass(59 * MINUTE)
  t.equal(asked.length, 2)
})

t.test('a failing refresh leaves everything as it was, says so in the log, and is tried again after a minute', async (t) => {
  const { read, asked, answer, pass, log } = setUp(t)
  const first = read()
  await answer({ aprPercent: 1 })
  await first
  await pass(60 * MINUTE)
  await answer(new Error('away'))
  t.same(await read(), { aprPercent: 1 })
  t.match(log.lines, [{ level: 'warn', message: /could not be refreshed/ }])
  await pass(MINUTE)
  t.equal(asked.length, 3)
  await answer(new DOMException('rpc is closed', 'AbortError'))
  t.match(log.lines, [{ level: 'warn' }, { level: 'debug', message: /could not be refreshed/ }], 'one that the end of the service cut off')
})

t.test('when the first refresh fails nothing is known: a 503 with its reason; a fault of the plugin stays one', async (t) => {
  const { read, asked, answer } = setUp(t)
  const first = read()
  first.catch(() => undefined)
  await answer(badGateway('UPSTREAM_UNAVAILABLE', 'The upstream is away.'))
  await t.rejects(first, { statusCode: 503, retryAfter: 60, message: /could not be read: The upstream is away\. They are asked/ })
  const second = read()
  second.catch(() => undefined)
  t.equal(asked.length, 2)
  await answer(new RangeError('a bug'))
  await t.rejects(second, { message: 'a bug' })
})

t.test('a start without its sources serves what was known before, as old as it is', async (t) => {
  const records = memoryRecords()
  const before = setUp(t, records)
  const first = before.read()
  await before.answer({ aprPercent: 1.5, tvl: 123_456_789_012_345_678_901n, users: 7 })
  await first
  before.snapshot.close()
  mock.timers.reset()

  const later = setUp(t, records, 26 * 60 * MINUTE)
  const read = later.snapshot.read()
  await settled()
  await later.answer(badGateway('UPSTREAM_UNAVAILABLE', 'away'))
  const { terms, takenAt } = await read
  t.same(applying(terms), { aprPercent: 1.5, tvl: 123_456_789_012_345_678_901n, users: 7 })
  t.equal(takenAt.getTime(), 0)
  await later.pass(MINUTE)
  await later.answer({ aprPercent: 2, tvl: undefined, users: 8 })
  t.same(await later.read(), { aprPercent: 2, tvl: 123_456_789_012_345_678_901n, users: 8 }, 'and mends it member by member')
})

t.test('a start whose sources hang waits a few seconds for them where it knows of before', async (t) => {
  const records = memoryRecords()
  const before = setUp(t, records)
  const first = before.read()
  await before.answer({ users: 7 })
  await first
  before.snapshot.close()
  mock.timers.reset()

  const later = setUp(t, records, 60 * MINUTE)
  let answered = false
  const read = later.read().finally(() => {
    answered = true
  })
  await settled()
  // A limit of seconds has several timers, one after the other.
  for (const ms of [1_250, 1_250, 1_250, 1_249]) await later.pass(ms)
  t.equal(answered, false)
  await later.pass(1)
  t.same(await read, { users: 7 })
})

t.test('what was kept in another form, or with a time to come, is left out or taken for now', async (t) => {
  const at = 5 * MINUTE
  const kept = { users: { value: 'many', at }, aprPercent: { value: 3, at: 99 * MINUTE }, tvl: { value: -1n, at }, stranger: 1 }
  const records = memoryRecords()
  await createKeyStore(records, 'place', memoryLog()).put('staking-info', kept)
  const { snapshot, answer } = setUp(t, records, 10 * MINUTE)
  const read = snapshot.read()
  await settled()
  await answer({ aprPercent: undefined })
  const { terms, takenAt } = await read
  t.same(applying(terms), { aprPercent: 3 })
  t.equal(takenAt.getTime(), 10 * MINUTE)
})

t.test('a refresh under way is not doubled by the timer', async (t) => {
  const { read, asked, pass, answer } = setUp(t)
  const first = read()
  await pass(5 * MINUTE)
  t.equal(asked.length, 1)
  await answer({})
  t.same(await first, {})
})

t.test('once closed it asks no more', async (t) => {
  const { snapshot, read, asked, answer, pass } = setUp(t)
  const first = read()
  await answer({ users: 1 })
  await first
  snapshot.close()
  await pass(180 * MINUTE)
  t.equal(asked.length, 1)
})

t.test('after a sleep in which no timer ran the first request gets the old values and sets the refresh off', async (t) => {
  const { read, asked, answer } = setUp(t)
  const first = read()
  await answer({ users: 1 })
  await first
  mock.timers.setTime(180 * MINUTE)
  t.same(await read(), { users: 1 })
  await settled()
  t.equal(asked.length, 2)
  await answer({ users: 2 })
  t.same(await read(), { users: 2 })
})

t.test('it is renewed at once when it is to be, and once more where that was asked while it was being read', async (t) => {
  const { snapshot, read, asked, answer, pass } = setUp(t)
  void snapshot.read()
  await answer({ aprPercent: 5 })
  t.equal(asked.length, 1)
  snapshot.renew()
  t.equal(asked.length, 2)
  snapshot.renew()
  snapshot.renew()
  t.equal(asked.length, 2, 'one refresh at a time')
  await answer({ aprPercent: 4 })
  t.equal(asked.length, 3, 'what was being read may be of before')
  await answer({ aprPercent: 0 })
  t.same(await read(), { aprPercent: 0 })
  t.equal(asked.length, 3)
  await pass(59 * MINUTE)
  t.equal(asked.length, 3)
  await pass(MINUTE)
  t.equal(asked.length, 4, 'an hour after it was renewed')
  await answer(badGateway('UPSTREAM_ERROR', 'The node is away.'))
  snapshot.renew()
  t.equal(asked.length, 5)
  await answer(badGateway('UPSTREAM_ERROR', 'The node is away.'))
  await pass(MINUTE)
  t.equal(asked.length, 6, 'a renewal that fails is tried again in a minute')
})

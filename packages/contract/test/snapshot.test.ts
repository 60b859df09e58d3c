import { mock } from 'node:test'
import t, { type Test } from 'tap'
import type { Info } from '../src/protocol.ts'
import { createSnapshot } from '../src/snapshot.ts'
import { memoryLog } from './support/paper.ts'

const MINUTE = 60_000

/** A snapshot over answers that the test gives one by one, on timers and a clock that stand still until told. */
function setUp(t: Test) {
  mock.timers.enable({ apis: ['setInterval', 'Date'], now: 0 })
  const asked: PromiseWithResolvers<Info>[] = []
  const log = memoryLog()
  const snapshot = createSnapshot(
    () => {
      const next = Promise.withResolvers<Info>()
      asked.push(next)
      return next.promise
    },
    { log, now: () => new Date() },
  )
  t.teardown(() => {
    snapshot.close()
    mock.timers.reset()
  })
  return {
    snapshot,
    log,
    asked,
    async pass(ms: number) {
      mock.timers.tick(ms)
      await settled()
    },
    async answer(info: Info | Error) {
      const next = asked.at(-1)!
      if (info instanceof Error) next.reject(info)
      else next.resolve(info)
      await settled()
    },
  }
}

/** Lets what waits for a promise go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

t.test('the first request waits for the first refresh, and all who come meanwhile share it', async (t) => {
  const { snapshot, asked, answer } = setUp(t)
  let answered = 0
  const reads = [snapshot.read(), snapshot.read()].map((read) => read.finally(() => answered++))
  await settled()
  t.equal(answered, 0)
  t.equal(asked.length, 1)
  await answer({ aprPercent: 1, users: null })
  t.same(await Promise.all(reads), [
    { aprPercent: 1, users: null },
    { aprPercent: 1, users: null },
  ])
})

t.test('within the hour nobody asks the sources again; after it the old values are answered while new ones are on their way', async (t) => {
  const { snapshot, asked, answer, pass } = setUp(t)
  const first = snapshot.read()
  await answer({ aprPercent: 1 })
  await first
  await pass(59 * MINUTE)
  t.same(await snapshot.read(), { aprPercent: 1 })
  t.equal(asked.length, 1)
  await pass(MINUTE)
  t.equal(asked.length, 2)
  t.same(await snapshot.read(), { aprPercent: 1 })
  await answer({ aprPercent: 2 })
  t.same(await snapshot.read(), { aprPercent: 2 })
})

t.test('a member whose source failed keeps its last good value and is asked for again after a minute', async (t) => {
  const { snapshot, asked, answer, pass } = setUp(t)
  const first = snapshot.read()
  await answer({ aprPercent: 1, users: 5, tvlUsd: null })
  await first
  await pass(60 * MINUTE)
  await answer({ aprPercent: undefined, users: 6, tvlUsd: undefined })
  t.same(await snapshot.read(), { aprPercent: 1, users: 6, tvlUsd: null })
  await pass(MINUTE)
  t.equal(asked.length, 3)
  await answer({ aprPercent: 3, users: null, tvlUsd: null })
  t.same(await snapshot.read(), { aprPercent: 3, users: null, tvlUsd: null })
  await pass(59 * MINUTE)
  t.equal(asked.length, 3)
})

t.test('a member that never was known stays out of the values', async (t) => {
  const { snapshot, answer } = setUp(t)
  const first = snapshot.read()
  await answer({ aprPercent: undefined, users: 1 })
  t.same(await first, { users: 1 })
})

t.test('a failing refresh leaves everything as it was, says so in the log, and is tried again after a minute', async (t) => {
  const { snapshot, asked, answer, pass, log } = setUp(t)
  const first = snapshot.read()
  await answer({ aprPercent: 1 })
  await first
  await pass(60 * MINUTE)
  await answer(new Error('away'))
  t.same(await snapshot.read(), { aprPercent: 1 })
  t.match(log.lines, [{ level: 'warn', message: /could not be refreshed/ }])
  await pass(MINUTE)
  t.equal(asked.length, 3)
})

t.test('when the first refresh fails its reason is answered, and the next request asks again', async (t) => {
  const { snapshot, asked, answer } = setUp(t)
  const first = snapshot.read()
  first.catch(() => undefined)
  await answer(new RangeError('away'))
  await t.rejects(first, { message: 'away' })
  const second = snapshot.read()
  t.equal(asked.length, 2)
  await answer({ users: 1 })
  t.same(await second, { users: 1 })
})

t.test('a refresh under way is not doubled by the timer', async (t) => {
  const { snapshot, asked, pass, answer } = setUp(t)
  const first = snapshot.read()
  await pass(5 * MINUTE)
  t.equal(asked.length, 1)
  await answer({})
  t.same(await first, {})
})

t.test('once closed it asks no more', async (t) => {
  const { snapshot, asked, answer, pass } = setUp(t)
  const first = snapshot.read()
  await answer({ users: 1 })
  await first
  snapshot.close()
  await pass(180 * MINUTE)
  t.equal(asked.length, 1)
})

t.test('after a sleep in which no timer ran the first request gets the old values and sets the refresh off', async (t) => {
  const { snapshot, asked, answer } = setUp(t)
  const first = snapshot.read()
  await answer({ users: 1 })
  await first
  mock.timers.setTime(180 * MINUTE)
  t.same(await snapshot.read(), { users: 1 })
  await settled()
  t.equal(asked.length, 2)
  await answer({ users: 2 })
  t.same(await snapshot.read(), { users: 2 })
})

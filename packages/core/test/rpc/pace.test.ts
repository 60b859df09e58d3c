import t from 'tap'
import { createPaces, isSlowAlone, isSlowBeside, type Pace } from '../../src/rpc/pace.ts'
import { createSpare } from '../../src/rpc/spare.ts'

/** The pace of an endpoint, and its clock. */
function paceOf(...answers: readonly number[]) {
  const clock = { ms: 0 }
  const pace = createPaces(() => clock.ms)('k')
  for (const ms of answers) pace.note(ms)
  return { pace, clock }
}
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms)
const steady = (ms: number): Pace => paceOf(...times(20, ms)).pace

t.test('patience is known after twenty answers, a median after eight', async (t) => {
  for (const [count, patience, median] of [
    [0, null, null],
    [7, null, null],
    [8, null, 30],
    [19, null, 30],
    [20, 60, 30],
  ] as const) {
    const { pace } = paceOf(...times(count, 30))
    t.same([pace.patienceMs(), pace.medianMs(), pace.isScarce()], [patience, median, median === null], `${count} answers`)
  }
  const { pace } = paceOf()
  for (let count = 1; count <= 20; count++) {
    t.equal(pace.medianMs(), count > 8 ? 30 : null, 'asked after each one')
    pace.note(30)
  }
  t.equal(pace.patienceMs(), 60)
})

t.test('patience is twice the median, and five milliseconds at least', async (t) => {
  t.equal(paceOf(...times(100, 10)).pace.patienceMs(), 20, 'also where all take the same')
  t.equal(paceOf(...times(94, 10), ...times(6, 900)).pace.patienceMs(), 20, 'also where some are late')
  t.equal(paceOf(...times(50, 10), ...times(50, 900)).pace.medianMs(), 10)
  t.equal(paceOf(...times(49, 10), ...times(51, 900)).pace.medianMs(), 900)
  t.equal(paceOf(...times(20, 2)).pace.patienceMs(), 5)
  t.equal(paceOf(...times(20, 3)).pace.patienceMs(), 6)
})

t.test('two hundred answers of the last five minutes count', async (t) => {
  const { pace } = paceOf(...times(200, 900))
  for (const ms of times(101, 10)) pace.note(ms)
  t.equal(pace.medianMs(), 10, 'the older ones are forgotten')
  const half = paceOf(...times(200, 900)).pace
  for (const ms of times(99, 10)) half.note(ms)
  t.equal(half.medianMs(), 900)

  const { pace: old, clock } = paceOf(...times(20, 30))
  clock.ms = 299_999
  t.equal(old.patienceMs(), 60)
  clock.ms = 330_000
  t.equal(old.patienceMs(), null)
  old.note(40)
  t.equal(old.medianMs(), null, 'one of today')
  t.equal(old.isScarce(), true)
})

t.test('figures are worked out anew after ten answers, or half a minute', async (t) => {
  const mixed = [...times(11, 10), ...times(9, 90)]
  const { pace, clock } = paceOf(...mixed)
  t.equal(pace.medianMs(), 10)
  for (const ms of times(9, 90)) pace.note(ms)
  t.equal(pace.patienceMs(), 20)
  clock.ms = 29_999
  t.equal(pace.patienceMs(), 20)
  clock.ms = 30_000
  t.equal(pace.patienceMs(), 180)

  const { pace: soon } = paceOf(...mixed)
  t.equal(soon.medianMs(), 10)
  for (const ms of times(9, 90)) soon.note(ms)
  t.equal(soon.medianMs(), 10)
  soon.note(90)
  t.equal(soon.medianMs(), 90)
})

t.test('each kind of work has a pace of its own, of a hundred kinds', async (t) => {
  const paces = createPaces(() => 0)
  for (let kind = 0; kind < 100; kind++) for (const ms of times(8, kind + 1)) paces(`${kind}`).note(ms)
  t.equal(paces('0').medianMs(), 1)
  t.equal(paces('99').medianMs(), 100)
  t.equal(paces('100').medianMs(), null)
  t.equal(paces('1').medianMs(), 2, 'the oldest one has gone, and no other')
  t.equal(paces('0').medianMs(), null)
})

t.test('patience with a kind that is new is two medians of all work, once twenty answers are known', async (t) => {
  const paces = createPaces(() => 0)
  for (const ms of times(19, 30)) paces('a').note(ms)
  t.equal(paces('b').patienceMs(), null)
  paces('b').note(30)
  t.equal(paces('b').patienceMs(), 60)
  t.equal(paces('a').patienceMs(), 60, 'nineteen of its own')
  paces('a').note(300)
  t.equal(paces('a').patienceMs(), 60, 'twenty')
  t.equal(paces('b').medianMs(), null)
  const quick = createPaces(() => 0)
  for (const ms of times(20, 1)) quick('a').note(ms)
  t.equal(quick('b').patienceMs(), 5)
})

t.test('an endpoint is slow beside one that takes less than half as long, and more than 25 ms less', async (t) => {
  for (const [own, other, slow] of [
    [100, 49, true],
    [100, 50, false],
    [50, 24, true],
    [49, 24, false],
    [26, 1, false],
    [27, 1, true],
    [49, 100, false],
  ] as const)
    t.equal(isSlowBeside(steady(own), steady(other)), slow, `${own} beside ${other}`)
  const unknown = paceOf().pace
  t.equal(isSlowBeside(steady(900), unknown), false)
  t.equal(isSlowBeside(unknown, steady(1)), false)
  for (const [ms, slow] of [
    [25, false],
    [26, true],
  ] as const)
    t.equal(isSlowAlone(steady(ms)), slow)
  t.equal(isSlowAlone(unknown), false)
})

t.test('twenty calls are saved up, and each ten readings earn one', async (t) => {
  const spare = createSpare()
  for (let call = 0; call < 20; call++) t.equal(spare.take(), true)
  t.equal(spare.take(), false)
  for (let reading = 0; reading < 9; reading++) spare.earn()
  t.equal(spare.take(), false)
  spare.earn()
  t.equal(spare.take(), true)
  t.equal(spare.take(), false)
  for (let reading = 0; reading < 100; reading++) spare.earn()
  t.equal(spare.take(10), false, 'ten have to be left')
  for (let reading = 0; reading < 10; reading++) spare.earn()
  t.equal(spare.take(10), true)
  for (let reading = 0; reading < 1000; reading++) spare.earn()
  for (let call = 0; call < 20; call++) t.equal(spare.take(), true)
  t.equal(spare.take(), false)
})

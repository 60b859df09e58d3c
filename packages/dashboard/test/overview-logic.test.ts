import t from 'tap'
import { barsOf, endOf, lengthText, outcomesText, peakOf, segmentsOf } from '../src/pages/overview/bars.ts'
import { ageText, byUrgency, msText, perMinute, shareText, windowOf } from '../src/pages/overview/figures.ts'
import { overviewOf, serviceOf } from './support/figures.ts'

const NOW = new Date('2026-11-22T13:20:30.000Z')

t.test('a window is so many bars that a phone has room for them, and none loses a request', async (t) => {
  for (const [window, bars, length, first] of [
    ['1h', 60, 'minutes', '2026-11-22T12:21:00.000Z'],
    ['24h', 24, 'hours', '2026-11-21T14:00:00.000Z'],
    ['7d', 56, '3 hours each', '2026-11-15T14:00:00.000Z'],
  ] as const) {
    const overview = overviewOf(window, NOW, (index) => index)
    const found = barsOf(overview)
    t.equal(found.length, bars, window)
    t.equal(lengthText(found), length)
    t.equal(found[0]?.time, first)
    t.equal(
      found.reduce((sum, { ok }) => sum + ok, 0),
      overview.totals.ok,
    )
    for (const [index, { until }] of found.slice(0, -1).entries()) t.equal(until, found[index + 1]?.time)
  }
  t.same(barsOf({ series: [], bucket_seconds: 60 }), [])
})

t.test('what happened once is seen beside thousands', async (t) => {
  const bar = { ok: 10_000, refused: 1, failed: 1 }
  t.equal(endOf([bar]), 12_000)
  t.equal(endOf([{ ok: 1041, refused: 0, failed: 0 }]), 1200)
  t.equal(endOf([]), 2, 'half of the axis is a whole number even of nothing')
  const [ok, refused, failed] = segmentsOf(bar, 12_000, 120)
  t.match(ok, { outcome: 'ok', y: 20, height: 100 })
  t.match(refused, { outcome: 'refused', y: 17, height: 2 })
  t.match(failed, { outcome: 'failed', y: 14, height: 2 }, 'above each other, and apart')
  t.same(segmentsOf({ ok: 0, refused: 0, failed: 0 }, 2, 120), [])
  t.equal(outcomesText(bar), '10,000 answered, 1 refused, 1 failed')
  t.equal(outcomesText({ ok: 0, refused: 2, failed: 0 }), 'none answered, 2 refused, none failed')
  t.equal(peakOf(barsOf(overviewOf('24h', NOW, () => 0))), undefined)
  t.equal(peakOf(barsOf(overviewOf('24h', NOW, (index) => (index === 5 ? 9 : 1))))?.time, '2026-11-21T19:00:00.000Z')
})

t.test('a share is never shown as nothing or all unless it is', async (t) => {
  t.equal(shareText(26, 8412), '0.31\u00a0%')
  t.equal(shareText(0, 5), '0\u00a0%')
  t.equal(shareText(1, 1_000_000), '< 0.01\u00a0%')
  t.equal(shareText(999_999, 1_000_000), '> 99.99\u00a0%')
  t.equal(shareText(3, 3), '100.00\u00a0%')
  t.equal(shareText(0, 0), '–')
})

t.test('figures are read at a glance', async (t) => {
  const rate = (ok: number) => perMinute(overviewOf('1h', NOW, (index) => (index === 1 ? ok : 0)))
  t.equal(rate(0), 'none')
  t.equal(rate(345), '5.8 a minute')
  t.equal(rate(3), 'fewer than 0.1 a minute')
  t.equal(msText(8.24), '8.2\u00a0ms')
  t.equal(msText(1840.6), '1,841\u00a0ms')
  t.same([40, 720, 12_000, 10_800, 400_000].map(ageText), ['40\u00a0s', '12\u00a0min', '3\u00a0h 20\u00a0min', '3\u00a0h', '4\u00a0d'])
  t.equal(windowOf(new URLSearchParams('window=7d')), '7d')
  t.equal(windowOf(new URLSearchParams('window=9y')), '24h')
  t.same(
    byUrgency(serviceOf(NOW).endpoints).map(({ state }) => state),
    ['failing', 'resting', 'ok', 'ok', 'unused'],
  )
  const [first, ...others] = serviceOf(NOW).endpoints
  t.same(
    byUrgency([{ ...first!, state: 'slow' }, ...others, { ...first!, state: 'behind' }]).map(({ state }) => state),
    ['failing', 'resting', 'behind', 'slow', 'ok', 'unused'],
    'one that is behind or slow stands before those that are well',
  )
})

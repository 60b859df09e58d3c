import type { CreditRow } from '@svc/kit-svm'
import fc from 'fast-check'
import t from 'tap'
import { annualRate, annualYield, performanceOf } from '../src/yield.ts'

/** Worked by hand: 100 × 4 % × 610 / 410 × 0.95, and compounded 208.714 times a year. */
const OF = { inflation: 0.04, supply: 610e15, staked: 410e15, commission: 0.05, performance: 1 }
const EPOCH_SECONDS = (365.25 * 86_400) / 208.714

t.test('4 % inflation on two thirds of the supply is 5.65 % after a commission of 5 %', async (t) => {
  t.equal(annualRate(OF).toFixed(6), '5.653659')
  t.equal(annualYield(annualRate(OF), EPOCH_SECONDS).toFixed(6), '5.815723')
})

t.test('without stake, with all of it taken, or without a vote there is nothing', async (t) => {
  t.equal(annualRate({ ...OF, staked: 0 }), 0)
  t.equal(annualRate({ ...OF, commission: 1 }), 0)
  t.equal(annualRate({ ...OF, performance: 0 }), 0)
  t.equal(annualYield(0, EPOCH_SECONDS), 0)
})

t.test("performance is a validator's credits against the mean weighted by stake", async (t) => {
  const row = (epoch: number, credits: number): CreditRow => [epoch, 1000 + credits, 1000]
  const own = { stake: 1, credits: [row(7, 60), row(8, 5)] }
  const others = [own, { stake: 3, credits: [row(7, 80)] }]
  t.equal(performanceOf(own, others, 7), 60 / 75)
  t.equal(performanceOf(own, others, 6), 1, 'nothing is known of that epoch')
  t.equal(performanceOf({ stake: 0, credits: [] }, others, 7), 1, 'nothing is known of a validator that is new')
  t.equal(performanceOf({ stake: 1, credits: [row(7, 0)] }, others, 7), 0)
  t.equal(performanceOf({ stake: 1, credits: [row(7, 10_000)] }, others, 7), 1.5, 'no validator earns that much more than the mean')
})

t.test('compounding never lowers a rate', async (t) => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 100, noNaN: true }),
      fc.integer({ min: 3_600, max: 604_800 }),
      // One part in a billion for the rounding of the power.
      (rate, seconds) => annualYield(rate, seconds) >= rate * (1 - 1e-9) - 1e-9,
    ),
  )
  t.pass('no counter-example')
})

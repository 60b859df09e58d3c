import fc from 'fast-check'
import t from 'tap'
import { annualRate, annualYield, isPlausible, measuredRate } from '../src/yield.ts'

const MON = 10n ** 18n
const BILLION = 10n ** 9n

/** Worked by hand: 100 × R × (31,536,000 / blockSeconds) × (1 − commission) / S, and compounded once an epoch. */
const EXAMPLES = [
  { reward: 18n, blockSeconds: 0.3, epochMinutes: 250, commission: MON / 10n, apr: 14.1912, apy: 15.246970670177017 },
  { reward: 25n, blockSeconds: 0.4, epochMinutes: 1000 / 3, commission: MON / 10n, apr: 14.7825, apy: 15.93019666868354 },
]

const close = (found: number, expected: number) => Math.abs(found - expected) <= Math.abs(expected) * 1e-12

for (const { reward, blockSeconds, epochMinutes, commission, apr, apy } of EXAMPLES)
  t.test(`${reward} MON a block of ${blockSeconds} s for 12 billion staked is ${apr} %`, async (t) => {
    const rate = annualRate({ rewardPerBlock: reward * MON, blockSeconds, commission, totalStake: 12n * BILLION * MON })
    t.ok(close(rate, apr), `${rate}`)
    t.ok(close(annualYield(rate, epochMinutes), apy), `${annualYield(rate, epochMinutes)}`)
  })

t.test('without stake, or with a commission of everything, the rate is zero', async (t) => {
  const of = { rewardPerBlock: 18n * MON, blockSeconds: 0.3, commission: 0n, totalStake: 0n }
  t.equal(annualRate(of), 0)
  t.equal(annualRate({ ...of, commission: MON, totalStake: MON }), 0)
  t.equal(annualYield(0, 250), 0)
})

t.test('a measured rate is what the accumulator grew by, carried to a year', async (t) => {
  const SCALE = 10n ** 36n
  const from = { seconds: 1_000, accumulator: 5n * SCALE }
  // A thousandth in a day.
  t.ok(close(measuredRate(from, { seconds: 1_000 + 86_400, accumulator: 5n * SCALE + SCALE / 1000n }), 36.5))
  t.equal(measuredRate(from, { ...from, seconds: 90_000 }), 0)
})

t.test('two samples that no validator can have gone between are told apart from those it can', async (t) => {
  const SCALE = 10n ** 36n
  const from = { seconds: 1_000, accumulator: 5n * SCALE }
  const later = (seconds: number, grown: bigint) => ({ seconds: 1_000 + seconds, accumulator: from.accumulator + grown })
  t.ok(isPlausible(from, later(86_400, SCALE / 365n)))
  t.ok(isPlausible(from, later(0, SCALE / 8_761n)), 'a block right after it')
  t.notOk(isPlausible(from, later(86_400, SCALE / 364n)), 'more than a stake again in a year')
  t.notOk(isPlausible(from, later(86_400, -1n)), 'it fell')
})

t.test('compounding never lowers a rate, and more commission never raises it', async (t) => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 200, noNaN: true }), fc.integer({ min: 1, max: 1440 }), (rate, minutes) => {
      // One part in a billion for the rounding of the power.
      return annualYield(rate, minutes) >= rate * (1 - 1e-9) - 1e-9
    }),
  )
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: MON }),
      fc.bigInt({ min: 0n, max: MON }),
      fc.bigInt({ min: MON, max: 10n ** 30n }),
      (one, two, totalStake) => {
        const rate = (commission: bigint) => annualRate({ rewardPerBlock: 18n * MON, blockSeconds: 0.3, commission, totalStake })
        return one <= two ? rate(one) >= rate(two) : rate(one) <= rate(two)
      },
    ),
  )
  t.pass('no counter-example')
})

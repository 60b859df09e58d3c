import fc from 'fast-check'
import t from 'tap'
import { annualRate, annualYield } from '../src/yield.ts'

const PROS = 10n ** 18n
const BILLION = 10n ** 9n * PROS
const EPOCH_SECONDS = 14_400

t.test('a billion of supply at 9.125 % for 500 million staked, less a tenth, is 16.425 %', async (t) => {
  const rate = annualRate({ supply: BILLION, rate: 9125n, commission: 1000n, totalStake: BILLION / 2n })
  t.equal(rate, 16.425)
  // Compounded 2190 times a year.
  const found = annualYield(rate, EPOCH_SECONDS)
  t.ok(Math.abs(found - 17.850164700086957) < 1e-10, `${found}`)
})

t.test('without stake, or with a commission of everything, the rate is zero', async (t) => {
  const of = { supply: BILLION, rate: 9125n, commission: 0n, totalStake: 0n }
  t.equal(annualRate(of), 0)
  t.equal(annualRate({ ...of, commission: 10_000n, totalStake: PROS }), 0)
  t.equal(annualYield(0, EPOCH_SECONDS), 0)
})

t.test('an annual rate is a year of what the chain pays in an epoch', async (t) => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: BILLION / 1000n, max: BILLION * 10n }),
      fc.bigInt({ min: 2391n, max: 9125n }),
      fc.bigInt({ min: 0n, max: 2000n }),
      fc.bigInt({ min: 1_000_000n * PROS, max: BILLION }),
      (supply, rate, commission, totalStake) => {
        // As the contract does it, for one whole token.
        const epoch = (((supply * rate) / 100_000n) * 14_400n) / 31_536_000n
        const perToken = (((epoch * (10_000n - commission)) / 10_000n) * 10n ** 27n) / totalStake
        const yearly = (Number(perToken) / 1e27) * 2190 * 100
        const found = annualRate({ supply, rate, commission, totalStake })
        return Math.abs(found - yearly) <= yearly * 1e-9
      },
    ),
  )
  t.pass('no counter-example')
})

t.test('compounding never lowers a rate', async (t) => {
  fc.assert(
    fc.property(fc.double({ min: 0.001, max: 200, noNaN: true }), fc.integer({ min: 60, max: 86_400 }), (rate, seconds) => {
      // One part in a billion for the rounding of the power.
      return annualYield(rate, seconds) >= rate * (1 - 1e-9) - 1e-9
    }),
  )
  t.pass('no counter-example')
})

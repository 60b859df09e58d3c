import fc from 'fast-check'
import t from 'tap'
import { combinedFee, isPlausible, issuedRates, measuredRates } from '../src/yield.ts'

const MON = 10n ** 18n
const BILLION = 10n ** 9n
const EPOCH = 15_000
const YEAR = 31_536_000

const close = (found: number, expected: number) => Math.abs(found - expected) <= Math.abs(expected) * 1e-10

t.test('both fees are one: the pool takes its part of what the validators leave', async (t) => {
  for (const [commission, points, fee] of [
    [0n, 0n, 0],
    [MON / 10n, 0n, 10],
    [0n, 1000n, 10],
    [MON / 10n, 1000n, 19],
    [MON / 4n, 250n, 26.875],
    [MON, 1000n, 100],
    [0n, 10_000n, 100],
  ] as const)
    t.equal(combinedFee(commission, points), fee, `${commission} and ${points}`)
})

/** Worked by hand: 100 × R × (31,536,000 / blockSeconds) / S × (1 − fee), and compounded once an epoch. */
t.test('rates by the formula are those worked by hand', async (t) => {
  const of = { rewardPerBlock: 18n * MON, blockSeconds: 0.3, totalStake: 12n * BILLION * MON, feePercent: 10 }
  const rates = issuedRates(of, EPOCH)
  t.ok(close(rates.aprPercent, 14.1912), `${rates.aprPercent}`)
  t.ok(close(rates.apyPercent, 15.246970670177017), `${rates.apyPercent}`)
  t.ok(close(issuedRates({ ...of, feePercent: 19 }, EPOCH).aprPercent, 14.1912 * 0.9))
  t.same(issuedRates({ ...of, feePercent: 100 }, EPOCH), { aprPercent: 0, apyPercent: 0 })
  t.same(issuedRates({ ...of, totalStake: 0n }, EPOCH), { aprPercent: 0, apyPercent: 0 })
  const older = issuedRates({ ...of, rewardPerBlock: 25n * MON, blockSeconds: 0.4 }, 20_000)
  t.ok(close(older.aprPercent, 14.7825) && close(older.apyPercent, 15.93019666868354), JSON.stringify(older))
})

t.test('measured growth is a yield, and the rate is what compounds to it', async (t) => {
  const from = { seconds: 1_000, pool: { shares: 900n * MON, assets: 990n * MON } }
  const unchanged = measuredRates(from, { ...from, seconds: 90_000 }, EPOCH)
  t.same(unchanged, { aprPercent: 0, apyPercent: 0 })
  // A tenth in a year is a yield of ten percent.
  const year = measuredRates(from, { seconds: 1_000 + YEAR, pool: { shares: 900n * MON, assets: 1_089n * MON } }, EPOCH)
  t.ok(close(year.apyPercent, 10), `${year.apyPercent}`)
  t.ok(year.aprPercent < year.apyPercent && year.aprPercent > 9.5, `${year.aprPercent}`)
  // A thousandth in one epoch is that, times the epochs of a year.
  const epoch = measuredRates(from, { seconds: 1_000 + EPOCH, pool: { shares: 900n * MON, assets: (990n * MON * 1001n) / 1000n } }, EPOCH)
  t.ok(close(epoch.aprPercent, (0.1 * YEAR) / EPOCH), `${epoch.aprPercent}`)
  // Deposits and redemptions at the price change nothing.
  const larger = measuredRates(from, { seconds: 90_000, pool: { shares: 9_000_000n * MON, assets: 9_900_000n * MON } }, EPOCH)
  t.ok(Math.abs(larger.apyPercent) < 1e-9, `${larger.apyPercent}`)
  // After slashing, say.
  t.ok(measuredRates(from, { seconds: 90_000, pool: { shares: 900n * MON, assets: 980n * MON } }, EPOCH).apyPercent < 0)
})

t.test('two samples that no pool can have gone between are told apart from those it can', async (t) => {
  const from = { seconds: 1_000, pool: { shares: 900n * MON, assets: 990n * MON } }
  const later = (seconds: number, assets: bigint, shares = 900n * MON) =>
    isPlausible(from, { seconds: 1_000 + seconds, pool: { shares, assets } })
  t.ok(later(86_400, 990n * MON))
  t.ok(later(86_400, (990n * MON * 1_002n) / 1_000n))
  t.ok(later(86_400, 9_900n * MON, 9_000n * MON), 'deposits at the price change nothing')
  t.ok(later(60, 990n * MON - 1n), 'a wei of rounding')
  t.notOk(later(86_400, (990n * MON * 1_003n) / 1_000n), 'it would double in a year')
  t.notOk(later(86_400, 989n * MON), 'it fell')
})

t.test('what is measured over any span of steady growth is what the formula says', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 180 }), fc.integer({ min: 1, max: 20 }), (epochs, fee) => {
      const of = { rewardPerBlock: 18n * MON, blockSeconds: 0.3, totalStake: 12n * BILLION * MON, feePercent: fee }
      const expected = issuedRates(of, EPOCH)
      const parts = 10n ** 12n
      const perEpoch = 75n * 10n ** 6n - (75n * 10n ** 6n * BigInt(fee)) / 100n
      let assets = 10n ** 30n
      for (let epoch = 0; epoch < epochs; epoch++) assets += (assets * perEpoch) / parts
      const start = { seconds: 0, pool: { shares: 10n ** 30n, assets: 10n ** 30n } }
      const found = measuredRates(start, { seconds: epochs * EPOCH, pool: { shares: 10n ** 30n, assets } }, EPOCH)
      return Math.abs(found.aprPercent - expected.aprPercent) < 1e-6 && Math.abs(found.apyPercent - expected.apyPercent) < 1e-6
    }),
  )
  t.pass('no counter-example')
})

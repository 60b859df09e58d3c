import fc from 'fast-check'
import t from 'tap'
import type { Fee } from '../src/chain/pool.ts'
import { depositOf, feeOn, lamportsFor, mostTokens, tokensFor, withdrawalOf } from '../src/chain/price.ts'
import { combinedFee, percentOf, ratesOf } from '../src/yield.ts'
import { record } from './fixtures.ts'
import vector from './vectors/amounts.json' with { type: 'json' }

const fee = ([numerator, denominator]: number[]): Fee => ({ numerator: BigInt(numerator!), denominator: BigInt(denominator!) })
const books = { totalLamports: BigInt(vector.totalLamports), supply: BigInt(vector.supply) }
const NONE: Fee = { numerator: 0n, denominator: 0n }

/** A pool as it can be: up to the supply of the chain, a price of 0.5 to 4, fees up to a tenth. */
const pools = fc
  .tuple(fc.bigInt(1n, 6n * 10n ** 17n), fc.integer({ min: 500, max: 4000 }))
  .map(([supply, price]) => ({ supply, totalLamports: (supply * BigInt(price)) / 1000n + 1n }))
const fees = fc
  .tuple(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(0, 10_000))
  .map(([numerator, denominator]) => fee([numerator, denominator]))
const amounts = fc.bigInt(1n, 10n ** 17n)

t.test('a deposit is minted and shared out as the vector says', async (t) => {
  const { lamports, minted, user, referral, manager } = vector.deposit
  const pool = { ...record, ...books, solDepositFee: fee(vector.depositFee), solReferralFee: vector.referral }
  t.same(depositOf(BigInt(lamports), pool), {
    minted: BigInt(minted),
    user: BigInt(user),
    referral: BigInt(referral),
    manager: BigInt(manager),
  })
})

t.test('a withdrawal pays what the vector says, and a balance is worth it before any fee', async (t) => {
  const { tokens, burnt, lamports } = vector.withdrawal
  const expected = { fee: BigInt(vector.withdrawal.fee), burnt: BigInt(burnt), lamports: BigInt(lamports) }
  t.same(withdrawalOf(BigInt(tokens), fee(vector.withdrawalFee), books), expected)
  t.equal(lamportsFor(BigInt(vector.worth.tokens), books), BigInt(vector.worth.lamports))
})

t.test('fees are rounded up, and one without a denominator is none', async (t) => {
  t.equal(feeOn(1n, fee([1, 1000])), 1n)
  t.equal(feeOn(1000n, fee([1, 1000])), 1n)
  t.equal(feeOn(1001n, fee([1, 1000])), 2n)
  t.equal(feeOn(10n ** 18n, NONE), 0n)
  t.equal(feeOn(10n ** 18n, fee([0, 1000])), 0n)
})

t.test('an empty pool gives a token for a lamport, and nothing for a token', async (t) => {
  for (const empty of [
    { totalLamports: 0n, supply: 0n },
    { totalLamports: 5n, supply: 0n },
    { totalLamports: 0n, supply: 5n },
  ])
    t.equal(tokensFor(1_000n, empty), 1_000n)
  t.equal(lamportsFor(1_000n, { totalLamports: 0n, supply: 0n }), 0n)
  t.equal(lamportsFor(1_000n, { totalLamports: 5n, supply: 0n }), 0n)
})

t.test('what goes in and comes out again is never more, and without a fee less by the rounding only', async (t) => {
  fc.assert(
    fc.property(pools, amounts, fees, (pool, lamports, rate) => {
      const back = withdrawalOf(tokensFor(lamports, pool), rate, pool).lamports
      return back <= lamports
    }),
  )
  fc.assert(
    fc.property(pools, amounts, (pool, lamports) => {
      const back = withdrawalOf(tokensFor(lamports, pool), NONE, pool).lamports
      return lamports - back <= pool.totalLamports / pool.supply + 1n
    }),
  )
  t.pass('no counter-example')
})

t.test('whatever is minted is shared out to the last unit', async (t) => {
  fc.assert(
    fc.property(pools, amounts, fees, fc.integer({ min: 0, max: 100 }), (pool, lamports, rate, referralPercent) => {
      const { minted, user, referral, manager } = depositOf(lamports, {
        ...record,
        ...pool,
        solDepositFee: rate,
        solReferralFee: referralPercent,
      })
      return user + referral + manager === minted && user >= 0n && referral >= 0n && manager >= 0n
    }),
  )
  t.pass('no counter-example')
})

t.test('the most tokens that a reserve can pay are covered by it, and one more is not', async (t) => {
  fc.assert(
    fc.property(pools, amounts, fees, (pool, free, rate) => {
      const most = mostTokens(free, rate, pool)
      const paid = (tokens: bigint) => withdrawalOf(tokens, rate, pool).lamports
      return paid(most) <= free && (most === pool.supply || paid(most + 1n) > free)
    }),
  )
  t.pass('no counter-example')
})

t.test('a year of the last growth is what the vector says', async (t) => {
  const { lastTotalLamports, lastSupply, epochSeconds, growth, aprPercent, apyPercent } = vector.yield
  const before = { totalLamports: BigInt(lastTotalLamports), supply: BigInt(lastSupply) }
  const rates = ratesOf(books, before, epochSeconds)!
  t.equal(rates.aprPercent.toFixed(6), aprPercent.toFixed(6))
  t.equal(rates.apyPercent.toFixed(6), apyPercent.toFixed(6))
  t.equal(((rates.aprPercent / 100) * (epochSeconds / (365.25 * 86_400))).toFixed(12), growth.toFixed(12))
})

t.test('a price that stands still makes nothing, one that falls takes, and there is no rate without a price of before', async (t) => {
  t.same(ratesOf(books, books, 151_200), { aprPercent: 0, apyPercent: 0 })
  const fallen = ratesOf({ ...books, totalLamports: books.totalLamports - 10n ** 12n }, books, 151_200)!
  t.ok(fallen.aprPercent < 0 && fallen.apyPercent < 0)
  t.equal(ratesOf(books, { totalLamports: 0n, supply: 0n }, 151_200), null)
  t.equal(ratesOf({ totalLamports: 0n, supply: 0n }, books, 151_200), null)
})

t.test('fees are percents, and two of them are one', async (t) => {
  t.equal(percentOf(fee([3, 1000])), 0.3)
  t.equal(percentOf(NONE), 0)
  t.equal(combinedFee(5, 10), 14.5)
  t.equal(combinedFee(0, 5), 5)
  t.equal(combinedFee(100, 5), 100)
})

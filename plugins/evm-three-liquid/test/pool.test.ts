import { formatAmount, meansAll, parseAmount } from '@svc/contract'
import fc from 'fast-check'
import t from 'tap'
import { assetsOf, sharesOf } from '../src/chain/pool.ts'

const MON = 10n ** 18n
const wei = (text: string) => parseAmount(text, 18)
/** A pool as it can be: shares that are worth from a thousandth of a MON to a thousand. */
const pools = fc.tuple(fc.bigInt(1n, 10n ** 28n), fc.integer({ min: 1, max: 1_000_000 })).map(([shares, price]) => ({
  shares,
  assets: (shares * BigInt(price)) / 1000n,
}))
const amounts = fc.bigInt(1n, 10n ** 28n)

t.test('an empty pool gives a share for a MON', async (t) => {
  const empty = { shares: 0n, assets: 0n }
  t.equal(sharesOf(100n * MON, empty), 100n * MON)
  t.equal(assetsOf(100n * MON, empty), 100n * MON)
})

t.test('converting there and back never makes an amount larger, and loses less than a share and a wei', async (t) => {
  fc.assert(
    fc.property(pools, amounts, (pool, amount) => {
      const back = assetsOf(sharesOf(amount, pool), pool)
      return back <= amount && amount - back <= (pool.assets + 1n) / (pool.shares + 1n) + 2n
    }),
  )
  fc.assert(fc.property(pools, amounts, (pool, shares) => sharesOf(assetsOf(shares, pool), pool) <= shares))
  t.pass('no counter-example')
})

t.test('a position is all of it as an exact text, and as whatever a double makes of it', async (t) => {
  fc.assert(
    fc.property(fc.bigInt(1n, 10n ** 26n), (worth) => {
      const text = JSON.stringify(Number(formatAmount(worth, 18)))
      return meansAll(worth, worth, 18) && meansAll(parseAmount(text, 18), worth, 18)
    }),
    { numRuns: 2000 },
  )
  t.pass('no counter-example')
})

t.test('an amount means all of it above the position by less than a step, and below it only as its double', async (t) => {
  // The nearest double is 1234.567890123457, above by 211 thousand wei; a step is 227,373 wei and three quarters.
  const worth = wei('1234.567890123456789')
  for (const [amount, all] of [
    ['1234.567890123456789', true],
    ['1234.56789012345679', true],
    ['1234.567890123457', true],
    ['1234.567890123457016', true],
    ['1234.567890123457017', false],
    ['1234.567890123456788', false],
    ['1234.5678901234565', false],
    ['1234', false],
    ['1235', false],
  ] as const)
    t.equal(meansAll(wei(amount), worth, 18), all, amount)
  // This one's double is below it.
  t.equal(meansAll(wei('1000.0000000000001'), wei('1000.000000000000100001'), 18), true)
  t.equal(meansAll(wei('1000.000000000000100002'), wei('1000.000000000000100001'), 18), true)
  t.equal(meansAll(wei('1000.000000000000100000') - 1n, wei('1000.000000000000100001'), 18), false)
  t.equal(meansAll(1n, 0n, 18), false, 'nothing is not all of something')
})

import fc from 'fast-check'
import t from 'tap'
import { centsOf, readPrice } from '../../src/plugins/price.ts'

t.test('a price is read exactly as it is written, in any spelling of JSON', (t) => {
  t.same(readPrice('67187.3358936566'), { digits: 671_873_358_936_566n, scale: 10 })
  t.same(readPrice('3'), { digits: 3n, scale: 0 })
  t.same(readPrice('1.5e-3'), { digits: 15n, scale: 4 })
  t.same(readPrice('1.25E+2'), { digits: 125n, scale: 0 })
  t.same(readPrice('0.000000001'), { digits: 1n, scale: 9 })
  t.same(readPrice('10000000.000'), { digits: 10_000_000_000n, scale: 3 })
  t.end()
})

t.test('what no token can cost is no price', (t) => {
  for (const text of [
    '0',
    '0.0',
    '-1',
    '-0',
    '1e-10',
    '0.0000000009',
    '10000000.01',
    '1e8',
    '1e99',
    '1e999',
    'NaN',
    'Infinity',
    '',
    ' 1',
    '0x1',
    '1,5',
    '"1"',
  ])
    t.equal(readPrice(text), null, text)
  t.equal(readPrice(`1.${'0'.repeat(70)}`), null, 'nor a text without end')
  t.end()
})

t.test('worth is exact to half a cent, for any amount and any price', async (t) => {
  const price = fc.tuple(fc.bigInt(1n, 10n ** 16n), fc.integer({ min: 0, max: 18 }))
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 0, max: 24 }), price, (units, decimals, [digits, scale]) => {
      const cents = centsOf(units, decimals, { digits, scale })
      // Cross-multiplied: |cents - exact| <= 1/2, where exact = units * digits * 100 / 10^(decimals + scale).
      const whole = 10n ** BigInt(decimals + scale)
      const off = 2n * (cents * whole - units * digits * 100n)
      return off > -whole && off <= whole
    }),
    { numRuns: 1000 },
  )
  t.equal(centsOf(5n, 0, { digits: 1n, scale: 3 }), 1n, 'half a cent is rounded up')
  t.equal(centsOf(4n, 0, { digits: 1n, scale: 3 }), 0n)
  t.equal(centsOf(9_007_199_254_740_993n, 0, { digits: 1n, scale: 2 }), 9_007_199_254_740_993n, 'beyond what a double can tell')
})

t.test('worth adds up: two parts are worth the whole, but for a cent of rounding', async (t) => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 30n), fc.bigInt(0n, 10n ** 30n), fc.bigInt(1n, 10n ** 12n), (a, b, digits) => {
      const price = { digits, scale: 9 }
      const off = centsOf(a + b, 18, price) - centsOf(a, 18, price) - centsOf(b, 18, price)
      return off >= -1n && off <= 1n
    }),
  )
  t.pass()
})

import fc from 'fast-check'
import t from 'tap'
import { ceil, formatDec, mul, mulTruncate, one, parseDec, quo, quoRoundUp, quoTruncate, round, toDec, truncate } from '../src/dec.ts'
import { holds } from './support.ts'

const dec = fc.bigInt({ min: 0n, max: 10n ** 40n })
const divisor = fc.bigInt({ min: 1n, max: 10n ** 30n })
const distance = (a: bigint, b: bigint) => (a < b ? b - a : a - b)

t.test('text is read and written exactly', async (t) => {
  t.equal(parseDec('0.05'), 50_000_000_000_000_000n)
  t.equal(parseDec('12'), 12n * one)
  t.equal(formatDec(parseDec('0.005')), '0.005000000000000000')
  t.equal(formatDec(-1n), '-0.000000000000000001')
  for (const text of ['', '.5', '1.', '-1', '1e3', '0.0000000000000000001', ' 1']) t.throws(() => parseDec(text), RangeError, text)
  holds(
    t,
    fc.property(dec, (value) => parseDec(formatDec(value)) === value),
  )
})

t.test('halves are rounded to the even neighbour, and cut off where the chain cuts off', async (t) => {
  // Cases of cosmossdk.io/math's own tests of its decimals: 2.5 to 2, 3.5 to 4, 0.5 to 0, 1.5 to 2, 7.6 to 8.
  for (const [text, expected] of [
    ['2.5', 2n],
    ['3.5', 4n],
    ['0.5', 0n],
    ['1.5', 2n],
    ['7.6', 8n],
    ['0.25', 0n],
    ['7.499999999999999999', 7n],
  ] as const) {
    t.equal(round(parseDec(text)), expected, text)
  }
  t.equal(mul(1n, parseDec('0.5')), 0n)
  t.equal(mul(3n, parseDec('0.5')), 2n)
  t.equal(mulTruncate(3n, parseDec('0.5')), 1n)
  t.equal(mul(-3n, parseDec('0.5')), -2n)
  t.equal(quo(one, toDec(3n)), 333_333_333_333_333_333n)
  t.equal(quo(toDec(2n), toDec(3n)), 666_666_666_666_666_667n)
  t.equal(quoTruncate(toDec(2n), toDec(3n)), 666_666_666_666_666_666n)
  t.equal(quoRoundUp(one, toDec(3n)), 333_333_333_333_333_334n)
  t.equal(ceil(parseDec('1500.000000000000000001')), 1501n)
  t.equal(truncate(parseDec('1.999999999999999999')), 1n)
})

t.test('every operation is off by what its rounding allows and no more', async (t) => {
  holds(
    t,
    fc.property(dec, dec, (a, b) => {
      const exact = a * b
      return distance(mul(a, b) * one, exact) * 2n <= one && exact - mulTruncate(a, b) * one < one && mulTruncate(a, b) * one <= exact
    }),
  )
  holds(
    t,
    fc.property(dec, divisor, (a, b) => {
      const exact = a * one
      const [nearest, below, above] = [quo(a, b), quoTruncate(a, b), quoRoundUp(a, b)]
      // The nearest is found in two steps, as on the chain, so that it may be a hair more than half off.
      return (
        distance(nearest * b, exact) * 2n <= b + 2n * (b / one + 1n) &&
        below * b <= exact &&
        exact - below * b < b &&
        above * b >= exact &&
        above - below <= 1n
      )
    }),
  )
})

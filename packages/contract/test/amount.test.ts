import fc from 'fast-check'
import t from 'tap'
import { Amount, amountNumber, atMost, formatAmount, parseAmount } from '../src/amount.ts'

const MAX = (1n << 256n) - 1n
const decimals = fc.constantFrom(18, 9, 6, 0)
const units = fc.bigInt({ min: 0n, max: MAX })

/** What a parser must answer, by fractions of integers alone. */
function rationalOf(digits: string, fraction: string, exponent: number): { top: bigint; bottom: bigint } {
  const shift = exponent - fraction.length
  const top = BigInt(digits + fraction)
  return shift >= 0 ? { top: top * 10n ** BigInt(shift), bottom: 1n } : { top, bottom: 10n ** BigInt(-shift) }
}

/** One unit in the last place of the double nearest to a positive rational, as a rational: 2^(floor(log2 x) - 52). */
function lastPlace(top: bigint, bottom: bigint): { top: bigint; bottom: bigint } {
  const atLeast = (power: number) => (power >= 0 ? top >= bottom << BigInt(power) : top << BigInt(-power) >= bottom)
  let power = top.toString(2).length - bottom.toString(2).length
  while (!atLeast(power)) power--
  while (atLeast(power + 1)) power++
  // Nearest double: 53 bits of mantissa, ties to even; a carry out of the mantissa moves it to the next power.
  const scaled = 52 - power >= 0 ? { top: top << BigInt(52 - power), bottom } : { top, bottom: bottom << BigInt(power - 52) }
  const [whole, rest] = [scaled.top / scaled.bottom, scaled.top % scaled.bottom]
  const up = rest * 2n > scaled.bottom || (rest * 2n === scaled.bottom && whole % 2n === 1n)
  if (up && whole + 1n === 1n << 53n) power++
  const exponent = power - 52
  return exponent >= 0 ? { top: 1n << BigInt(exponent), bottom: 1n } : { top: 1n, bottom: 1n << BigInt(-exponent) }
}

t.test('what is formatted is read back as the same amount, for every number of decimals', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(fc.property(units, decimals, (amount, places) => parseAmount(formatAmount(amount, places), places) === amount)),
  )
})

t.test('a formatted amount has no needless zeros, no exponent, and a digit on both sides of its point', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(fc.property(units, decimals, (amount, places) => /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(formatAmount(amount, places)))),
  )
  t.equal(formatAmount(1_500_000_000_000_000_000n, 18), '1.5')
  t.equal(formatAmount(1n, 18), '0.000000000000000001')
  t.equal(formatAmount(-1_000_001n, 6), '-1.000001')
  t.equal(formatAmount(1_000_000_000n, 9), '1')
  t.equal(formatAmount(7n, 0), '7')
  t.equal(formatAmount(0n, 18), '0')
})

t.test('an exponent moves the point exactly', async (t) => {
  t.equal(parseAmount('1e-7', 18), 10n ** 11n)
  t.equal(parseAmount('1.5E+2', 6), 150_000_000n)
  t.equal(parseAmount('123456789.000000001e-9', 18), 123456789000000001n)
  t.equal(parseAmount('1e18', 18), 10n ** 36n)
  t.equal(parseAmount('10e-19', 18), 1n, 'digits that cancel are no further decimals')
  const digits = fc.stringMatching(/^\d{1,25}$/)
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(digits, digits, fc.integer({ min: -60, max: 60 }), decimals, (whole, fraction, exponent, places) => {
        const { top, bottom } = rationalOf(whole, fraction, exponent)
        const scaled = top * 10n ** BigInt(places)
        const text = `${whole}.${fraction}e${exponent}`
        const exact = scaled % bottom === 0n && scaled / bottom <= MAX
        try {
          return parseAmount(text, places) === scaled / bottom && exact
        } catch (error) {
          return !exact && (error as { code: string }).code === 'AMOUNT_INVALID'
        }
      }),
      { numRuns: 500 },
    ),
  )
})

t.test('digits beyond the token are refused, zeros beyond it are not', async (t) => {
  t.equal(parseAmount('1.0000000000000000000000', 18), 10n ** 18n)
  t.throws(() => parseAmount('1.0000000000000000001', 18), { statusCode: 400, code: 'AMOUNT_INVALID', message: /more decimals.*18/ })
  t.throws(() => parseAmount('1e-19', 18), { code: 'AMOUNT_INVALID' })
  t.throws(() => parseAmount('0.0000001', 6), { code: 'AMOUNT_INVALID' })
  t.throws(() => parseAmount('1e-9999', 18), { code: 'AMOUNT_INVALID' })
  t.equal(parseAmount('0e-9999', 18), 0n)
})

t.test('a negative amount, and text that is no number, are refused with a sentence that shows them', async (t) => {
  t.throws(() => parseAmount('-1', 18, 'stake'), { code: 'AMOUNT_INVALID', message: 'stake -1 is negative; it must be above zero.' })
  for (const text of [
    '',
    ' 1',
    '1 ',
    '1.',
    '.5',
    '1,5',
    '1_000',
    '0x10',
    'NaN',
    'Infinity',
    '-Infinity',
    '1e',
    '1e1.5',
    '+1',
    '١',
    '1n',
    '1e99999',
  ])
    t.throws(
      () => parseAmount(text, 18),
      { statusCode: 400, code: 'AMOUNT_INVALID', message: /is not a decimal number/ },
      JSON.stringify(text),
    )
  t.throws(() => parseAmount('9'.repeat(5000), 18), { message: /^.{0,150}$/ }, 'a long text is cut in the sentence')
})

t.test('what exceeds a uint256 is refused, however it is written', async (t) => {
  t.equal(parseAmount(formatAmount(MAX, 18), 18), MAX)
  const above = { code: 'AMOUNT_INVALID', message: /larger than any chain/ }
  t.throws(() => parseAmount(formatAmount(MAX + 1n, 18), 18), above)
  t.throws(() => parseAmount('1e400', 18), above)
  t.throws(() => parseAmount(`${'9'.repeat(150)}.${'0'.repeat(19)}`, 18), above, 'with needless decimals')
  t.throws(() => parseAmount(`${'9'.repeat(150)}e-2`, 0), { code: 'AMOUNT_INVALID' })
  t.throws(() => parseAmount(`${'9'.repeat(150)}00e-2`, 0), above, 'with an exponent that takes digits away')
})

t.test('an amount on the wire is a JSON number with the exact text', async (t) => {
  t.equal(JSON.stringify({ a: amountNumber(100_000_000_000_000_000_001n, 18) }), '{"a":100.000000000000000001}')
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(units, decimals, (amount, places) => JSON.stringify(amountNumber(amount, places)) === formatAmount(amount, places)),
    ),
  )
})

t.test('an excess below one unit in the last place means all of it: 223 wei is the first too much at 1.23, 113,687 at 1000', async (t) => {
  for (const [maximum, tooMuch] of [
    [1_230_000_000_000_000_000n, 223n],
    [1000n * 10n ** 18n, 113_687n],
  ] as const) {
    t.equal(atMost(maximum + tooMuch - 1n, maximum, 18), maximum)
    t.equal(atMost(maximum + tooMuch, maximum, 18), null)
  }
})

t.test('an amount that is covered stays as it is, and nothing is covered by nothing', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(units, units, decimals, (a, b, places) => {
        const [amount, maximum] = a <= b ? [a, b] : [b, a]
        return atMost(amount, maximum, places) === amount
      }),
    ),
  )
  t.equal(atMost(1n, 0n, 18), null)
  t.equal(atMost(0n, 0n, 18), 0n)
})

t.test('the precision equals an independent computation over fractions', async (t) => {
  for (const maximum of [1n, 2n, 10n ** 18n, (1n << 53n) - 1n, 1n << 53n, (1n << 53n) + 1n, 10n ** 36n - 1n, MAX])
    t.ok(compare(maximum, 18), String(maximum))
  t.doesNotThrow(() => fc.assert(fc.property(fc.bigInt({ min: 1n, max: 1n << 128n }), decimals, compare), { numRuns: 300 }))

  function compare(maximum: bigint, places: number): boolean {
    const ulp = lastPlace(maximum, 10n ** BigInt(places))
    // The largest excess that is strictly below the unit, in base units.
    const within = (ulp.top * 10n ** BigInt(places) - 1n) / ulp.bottom
    return atMost(maximum + within, maximum, places) === maximum && atMost(maximum + within + 1n, maximum, places) === null
  }
})

t.test('whatever a double can say of a maximum is taken for the maximum, or is below it', async (t) => {
  // Number() of the exact text is the nearest double: what a caller who reads doubles would send back.
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 30n }), (maximum) => {
        const sent = Number(formatAmount(maximum, 18))
        const exactly = fractionOf(sent)
        const wei = (exactly.top * 10n ** 18n) / exactly.bottom
        return atMost(wei, maximum, 18) === (wei < maximum ? wei : maximum)
      }),
    ),
  )
})

/** A double as a fraction, from its bits. */
function fractionOf(value: number): { top: bigint; bottom: bigint } {
  const bits = new BigUint64Array(new Float64Array([value]).buffer)[0]!
  const exponent = Number((bits >> 52n) & 0x7ffn) - 1075
  const mantissa = (bits & ((1n << 52n) - 1n)) | (1n << 52n)
  return exponent >= 0 ? { top: mantissa << BigInt(exponent), bottom: 1n } : { top: mantissa, bottom: 1n << BigInt(-exponent) }
}

t.test('the schema says number or decimal text, names its bound, and carries what the pipeline needs', async (t) => {
  t.match(Amount(), { type: ['number', 'string'], exclusiveMinimum: 0, 'x-amount': {} })
  t.match(Amount({ minimum: '0.003', decimals: 9, description: 'Tokens.' }), {
    type: ['number', 'string'],
    minimum: 0.003,
    description: /^Tokens\./,
    examples: [0.003],
    'x-amount': { decimals: 9, minimum: '0.003' },
  })
})

import fc from 'fast-check'
import t from 'tap'
import { readHex } from '../src/index.ts'

t.test('hexadecimal of either case, with and without 0x, is read to its last byte', async (t) => {
  const readings = () =>
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 64 }),
        fc.constantFrom('', '0x', '0X'),
        fc.boolean(),
        (bytes, before, isUpper) => {
          const digits = Buffer.from(bytes).toString('hex')
          return readHex(`${before}${isUpper ? digits.toUpperCase() : digits}`, 'x', 64).equals(bytes)
        },
      ),
    )
  t.doesNotThrow(readings)
})

t.test('what is no hexadecimal, or too much of it, is refused by its name with what would be right', async (t) => {
  const cases: [given: string, message: string][] = [
    ['', 'tx is empty.'],
    ['0x', 'tx is empty.'],
    ['zz', 'tx is not hexadecimal text.'],
    ['00 0', 'tx is not hexadecimal text.'],
    ['0x0x00', 'tx is not hexadecimal text.'],
    ['000', 'tx has an odd number of digits: it was cut short.'],
    ['0000000', 'tx has 7 hex digits; it may have 6, which are 3 bytes.'],
    ['z'.repeat(1_000_000), 'tx has 1000000 hex digits; it may have 6, which are 3 bytes.'],
  ]
  for (const [given, message] of cases)
    t.throws(() => readHex(given, 'tx', 3), { statusCode: 400, code: 'HEX_INVALID', message }, given.slice(0, 20))
  t.equal(readHex('0xffFFff', 'tx', 3).length, 3, 'the most that may be')
})

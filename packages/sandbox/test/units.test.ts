import { formatUnits, parseAmount, parseUnits, SandboxError } from '@svc/sandbox'
import fc from 'fast-check'
import t from 'tap'

t.test('an amount is read exactly, to the last of its decimals', async (t) => {
  t.equal(parseUnits('1.5', 18), 1_500_000_000_000_000_000n)
  t.equal(parseUnits('0.000000000000000001', 18), 1n)
  t.equal(parseUnits('100000000.000000000000000001', 18), 100_000_000_000_000_000_000_000_001n)
  t.equal(parseUnits('007', 0), 7n)
})

t.test('what is not an amount is refused', async (t) => {
  const wrong = [
    '',
    '-1',
    '+1',
    '1e3',
    '0x10',
    '1.',
    '.5',
    '1,5',
    ' 1',
    '0',
    '0.0',
    '1.0000000000000000001',
    '9'.repeat(40),
    '1'.repeat(90),
    5,
    null,
  ]
  for (const text of wrong) t.throws(() => parseUnits(text, 18), { name: 'SandboxError', code: 'INVALID_INPUT' }, JSON.stringify(text))
  t.ok(new SandboxError('INVALID_INPUT', 'x') instanceof Error)
})

t.test('writing an amount and reading it again gives the same amount', async (t) => {
  const property = fc.property(fc.bigInt({ min: 1n, max: (1n << 128n) - 1n }), fc.integer({ min: 0, max: 30 }), (units, decimals) => {
    const text = formatUnits(units, decimals)
    return parseUnits(text, decimals) === units && !/\.\d*0$|\.$/.test(text)
  })
  t.doesNotThrow(() => fc.assert(property))
})

t.test('an amount for a chain is base units or text, and more than zero', async (t) => {
  t.equal(parseAmount('1.5', 9, 'lamports'), 1_500_000_000n)
  t.equal(parseAmount(1n, 9, 'lamports'), 1n)
  for (const amount of [0n, -1n])
    t.throws(() => parseAmount(amount, 9, 'lamports'), { code: 'INVALID_INPUT', message: /lamports: it must be more/ })
  t.throws(() => parseAmount('0', 9, 'lamports'), { code: 'INVALID_INPUT' })
})

import { PaperAddress, paperKit } from '@svc/testing/paper'
import t from 'tap'
import { type TProperties, Type } from 'typebox'
import { Amount, formatAmount, MOST_UNITS } from '../src/amount.ts'
import { readInput } from '../src/input.ts'
import { parseJson } from '../src/json.ts'

const kit = paperKit()
const body = { address: PaperAddress, amount: Amount(), note: Type.Optional(Type.String()) }
const read = (text: string, properties: TProperties = body, status?: 400 | 422) =>
  readInput(kit, properties, parseJson(text) as object, status)

t.test('amounts are base units, read from the text of the number or from a decimal text', async (t) => {
  t.same(read('{"address":"P001","amount":100.000000000000000001}'), { address: 'p001', amount: 100_000_000_000_000_000_001n })
  t.equal(read('{"address":"p001","amount":"100.000000000000000001"}').amount, 100_000_000_000_000_000_001n)
  t.equal(read('{"address":"p001","amount":1e-18}').amount, 1n)
  t.equal(read('{"address":"p001","amount":123456789012345678901}').amount, 123456789012345678901n * 10n ** 18n)
  t.equal(readInput(kit, body, { address: 'p001', amount: 1.5 }).amount, 15n * 10n ** 17n, 'a body made in this process')
})

t.test('a token with decimals of its own is read with those', async (t) => {
  const own = { amount: Amount({ decimals: 6 }) }
  t.equal(read('{"amount":1.5}', own).amount, 1_500_000n)
  t.throws(() => read('{"amount":1.0000001}', own), { code: 'AMOUNT_INVALID' })
})

t.test('more than the chain can carry is refused: by the kit, or beyond any supply', async (t) => {
  const most = (units: bigint) =>
    readInput({ ...kit, mostUnits: 1000n } as typeof kit, body, { address: 'p001', amount: formatAmount(units, 18) })
  t.equal(most(1000n).amount, 1000n)
  t.throws(() => most(1001n), { statusCode: 400, code: 'AMOUNT_INVALID', message: /larger than this chain can carry/ })
  t.equal(read(`{"amount":${formatAmount(MOST_UNITS, 18)}}`).amount, MOST_UNITS)
  t.throws(() => read(`{"amount":${formatAmount(MOST_UNITS + 1n, 18)}}`), { code: 'AMOUNT_INVALID', message: /larger than this chain/ })
})

t.test('zero, a negative amount, and one below the minimum are refused by name', async (t) => {
  for (const zero of ['0', '0.0', '-0', '0e5', '"0"'])
    t.throws(
      () => read(`{"address":"p001","amount":${zero}}`),
      { statusCode: 400, code: 'AMOUNT_INVALID', message: /^amount is zero/ },
      zero,
    )
  t.throws(() => read('{"address":"p001","amount":-1}'), { code: 'AMOUNT_INVALID', message: /^amount -1 is negative/ })
  const minimum = { stake: Amount({ minimum: '0.003' }) }
  t.throws(() => read('{"stake":0.002999999999999999}', minimum), {
    statusCode: 400,
    code: 'AMOUNT_TOO_SMALL',
    message: 'stake 0.002999999999999999 is below the minimum of 0.003.',
  })
  t.equal(read('{"stake":0.003}', minimum).stake, 3n * 10n ** 15n)
})

t.test('members left out stay out, others pass as they are, and unknown ones do not', async (t) => {
  t.same(read('{"address":"p001","amount":1,"note":"n","more":true}'), { address: 'p001', amount: 10n ** 18n, note: 'n' })
  t.notOk('note' in read('{"address":"p001","amount":1}'))
})

t.test("a malformed address is refused with the action's status for a body that does not fit", async (t) => {
  t.throws(() => read('{"address":"x","amount":1}'), { statusCode: 400, code: 'ADDRESS_INVALID', message: /not a paper address/ })
  t.throws(() => read('{"address":"x","amount":1}', body, 422), {
    statusCode: 422,
    code: 'ADDRESS_INVALID',
    message: /not a paper address/,
  })
})

t.test('an amount with too many decimals is 400 even there, as the specification asks; any other that does not fit is not', async (t) => {
  for (const fine of ['1.0000000000000000001', '1e-19', '1.5e-18', '"1e-400"'])
    t.throws(
      () => read(`{"address":"p001","amount":${fine}}`, body, 422),
      { statusCode: 400, code: 'AMOUNT_INVALID', message: /decimals/ },
      fine,
    )
  for (const wrong of ['0', '0e-30', '-1', '-1e-19', '"1,5"', '1e400', '"NaN"'])
    t.throws(() => read(`{"address":"p001","amount":${wrong}}`, body, 422), { statusCode: 422, code: 'AMOUNT_INVALID' }, wrong)
  const minimum = { stake: Amount({ minimum: '0.003' }) }
  t.throws(() => read('{"stake":0.002}', minimum, 422), { statusCode: 422, code: 'AMOUNT_TOO_SMALL' })
})

t.test('a fault of the kit is not taken for a refusal', async (t) => {
  const broken = paperKit({
    address() {
      throw new TypeError('a fault')
    },
  })
  t.throws(() => readInput(broken, body, { address: 'p001', amount: 1 }, 422), TypeError)
})

import { toBech32 } from '@cosmjs/encoding'
import t from 'tap'
import { Value } from 'typebox/value'
import { accountAddress, validatorSchema } from '../src/address.ts'
import { one, two } from './support/vectors.ts'

const refused = { statusCode: 400, code: 'ADDRESS_INVALID' }

t.test('an address is taken in one case, and returned in lower case', async (t) => {
  t.equal(accountAddress('cosmos', one.address), one.address)
  t.equal(accountAddress('cosmos', one.address.toUpperCase()), one.address)
  t.equal(accountAddress('celestia', two.address), two.address)
})

t.test('an account of 32 bytes is an address too', async (t) => {
  const text = toBech32('cosmos', new Uint8Array(32).fill(7))
  t.equal(accountAddress('cosmos', text), text)
})

t.test('what is no account address of the chain is refused', async (t) => {
  // The same bytes with the checksum of Bech32m.
  const bech32m = 'cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgr08h2h'
  const wrong = [
    '',
    'cosmos',
    'cosmos1',
    one.validator,
    two.address,
    one.address.slice(0, -1),
    `${one.address}q`,
    one.address.replace(/4$/, '5'),
    one.address.replace('cosmos', 'Cosmos'),
    bech32m,
    toBech32('cosmos', new Uint8Array(19)),
    toBech32('cosmos', new Uint8Array(33)),
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    `cosmos1${'q'.repeat(300)}`,
  ]
  for (const text of wrong) t.throws(() => accountAddress('cosmos', text), refused, text.slice(0, 80))
})

t.test("a validator's address in the settings is checked down to its checksum", async (t) => {
  const schema = validatorSchema('cosmos')
  t.ok(Value.Check(schema, one.validator))
  for (const text of [one.address, two.validator, one.validator.replace(/t$/, 'q'), one.validator.toUpperCase(), ''])
    t.notOk(Value.Check(schema, text), text)
})

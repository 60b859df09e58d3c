import { Amount } from '@svc/contract'
import { parseJson } from '@svc/contract/host'
import { PaperAddress, paperKit } from '@svc/testing/paper'
import t from 'tap'
import { Type } from 'typebox'
import { askedOf } from '../../src/plugins/craft/craft-request.ts'

const properties = { address: PaperAddress, amount: Amount(), fee: Type.Optional(Amount()), to: PaperAddress, note: Type.String() }
const asked = (body: unknown, kit = paperKit()) => askedOf(kit, properties, { body })

t.test('a body tells who signs in the canonical form, and its amounts with every digit', async (t) => {
  const body = parseJson('{"address":"P001","amount":0.100000000000000000000000001,"fee":"2.50","to":"P002","note":"P003"}')
  t.same(asked(body), {
    wallet: 'p001',
    amounts: { amount: '0.100000000000000000000000001', fee: '2.50' },
    addresses: ['P001', 'P002'],
  })
})

t.test('where a family names its signer by a key, the wallet is the address of the key', async (t) => {
  const kit = paperKit({ wallet: (key) => `p${key.length.toString().padStart(3, '0')}` })
  t.match(asked({ address: 'a key', amount: 1 }, kit), { wallet: 'p005', addresses: ['a key'] })
})

t.test('what is no address is no wallet, and what is no number no amount, whatever the body is', async (t) => {
  const nothing = { wallet: null, amounts: {}, addresses: [] }
  for (const body of [undefined, null, 'text', 7, [], [1], {}, { address: 'x', amount: 'abandon' }, { address: 1, amount: {} }])
    t.same(asked(body), nothing, JSON.stringify(body))
  for (const amount of ['1'.repeat(80), '-1', '+1.5e-18', '1e9999']) t.same(asked({ amount }).amounts, { amount })
  for (const amount of ['1'.repeat(81), '1e99999', '0x10', '1 000', 'e5', '']) t.same(asked({ amount }).amounts, {})
  t.same(asked(Object.create({ address: 'p001', amount: 1 })), nothing, 'what it inherits is none of its members')
})

import t from 'tap'
import { delegateOf, walletPowers, withDelegate } from '../src/wallet-code.ts'

const CONTRACT = '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'

t.test('code of three bytes and an address delegates a wallet, and no other code does', async (t) => {
  const code = `0xef0100${CONTRACT.slice(2)}`
  t.equal(delegateOf(code.toLowerCase()), CONTRACT)
  t.equal(delegateOf(code), CONTRACT, 'however a node spells it')
  for (const other of ['0x', '0x6000', code.slice(0, -2), `${code}00`, `0xef0101${CONTRACT.slice(2)}`])
    t.equal(delegateOf(other), null, other)
})

t.test('the contract has power over the wallet, and is in its digest', async (t) => {
  t.same(walletPowers(null), [])
  t.same(walletPowers(CONTRACT), [{ aspect: 'wallet_code', holder: CONTRACT, objectId: null, terms: null }])
  t.equal(withDelegate('5', null), '5')
  t.equal(withDelegate('5', CONTRACT), `5 wallet ${CONTRACT}`)
})

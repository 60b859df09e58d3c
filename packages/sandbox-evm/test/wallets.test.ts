import { addressFromEnd, evmWallets } from '@svc/sandbox-evm'
import { HDNodeWallet, Mnemonic } from 'ethers'
import t from 'tap'

t.test('the wallets are the first accounts of the public test mnemonic', async (t) => {
  const mnemonic = Mnemonic.fromPhrase('test test test test test test test test test test test junk')
  const derived = evmWallets.map((_, index) => HDNodeWallet.fromMnemonic(mnemonic, `m/44'/60'/0'/0/${index}`))
  t.same(
    evmWallets,
    derived.map(({ address, privateKey }) => ({ address, privateKey })),
  )
})

t.test('wallets are counted from the end too, and none is made up', async (t) => {
  t.equal(addressFromEnd(evmWallets, 1), evmWallets.at(-1)?.address)
  t.equal(addressFromEnd(evmWallets, 5), evmWallets.at(0)?.address)
  t.throws(() => addressFromEnd(evmWallets, 6), { message: /there are 5 wallets, and no 6\. from the end/ })
})

import { fundedWallets } from '@svc/sandbox'
import { HDNodeWallet, Mnemonic } from 'ethers'
import t from 'tap'

t.test('the wallets are the first accounts of the public test mnemonic', async (t) => {
  const mnemonic = Mnemonic.fromPhrase('test test test test test test test test test test test junk')
  const derived = fundedWallets.map((_, index) => HDNodeWallet.fromMnemonic(mnemonic, `m/44'/60'/0'/0/${index}`))
  t.same(
    fundedWallets,
    derived.map(({ address, privateKey }) => ({ address, privateKey })),
  )
})

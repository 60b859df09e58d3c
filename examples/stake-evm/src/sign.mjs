// Signs a craft response with the sandbox's first wallet.
// Stands for whatever holds your keys: a craft response on standard input, the body for prepare on standard output.
import { custodian } from '@svc/example-sandbox/custodian'
import { SigningKey } from 'ethers'

await custodian('unsigned_tx_hash_hex', (craft, { evm: [wallet] }) => {
  const { r, s, v } = new SigningKey(wallet.privateKey).sign(craft.unsigned_tx_hash_hex)
  return { serialized_tx_hex: craft.serialized_tx_hex, r, s, v }
})

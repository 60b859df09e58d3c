// Signs a craft response with the sandbox's first Solana wallet.
// Stands for whatever holds your keys: a craft response on standard input, the body for prepare on standard output.
import { createPrivateKey, sign } from 'node:crypto'
import { base58 } from '@scure/base'
import { custodian } from '@svc/example-sandbox/custodian'

await custodian('unsigned_tx_hex', ({ unsigned_tx_hex }, { svm: [wallet] }) => {
  // A byte with the number of signatures, 64 bytes for each, and then what is signed: the message.
  const bytes = Buffer.from(unsigned_tx_hex, 'hex')
  const message = bytes.subarray(1 + 64 * bytes[0])
  const seed = base58.decode(wallet.secretKey).subarray(0, 32)
  const key = createPrivateKey({
    key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
    format: 'der',
    type: 'pkcs8',
  })
  return { unsigned_tx_hex, signatures: [sign(null, message, key).toString('hex')] }
})

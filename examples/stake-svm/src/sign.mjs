// Signs a craft response (standard input) with the sandbox's first Solana wallet and writes the body for prepare (standard output).
// Stands for whatever holds your keys: the service never sees this step.
import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { base58 } from '@scure/base'

const { wallets } = JSON.parse(readFileSync(`${process.env.SVC_DATA ?? '.svc'}/sandbox.json`, 'utf8'))
const craft = JSON.parse(readFileSync(0, 'utf8'))
if (!craft.unsigned_tx_hex) {
  console.error(`This is no craft response: ${JSON.stringify(craft)}`)
  process.exit(1)
}
// A byte with the number of signatures, 64 bytes for each, and then what is signed: the message.
const bytes = Buffer.from(craft.unsigned_tx_hex, 'hex')
const message = bytes.subarray(1 + 64 * bytes[0])
const seed = base58.decode(wallets.svm[0].secretKey).subarray(0, 32)
const key = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]),
  format: 'der',
  type: 'pkcs8',
})
const signature = sign(null, message, key).toString('hex')
process.stdout.write(JSON.stringify({ unsigned_tx_hex: craft.unsigned_tx_hex, signatures: [signature] }))

// Signs a craft response (standard input) with the sandbox's first Solana wallet and writes the body for prepare (standard output).
// Stands for whatever holds your keys: the service never sees this step.
import { createPrivateKey, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { base58 } from '@scure/base'

const file = `${process.env.SVC_DATA ?? fileURLToPath(new URL('../../../.svc', import.meta.url))}/sandbox.json`
if (!existsSync(file)) {
  console.error(`There is no ${file}: start the sandbox with npm start, and name its data folder with SVC_DATA where it is another one.`)
  process.exit(1)
}
const { wallets } = JSON.parse(readFileSync(file, 'utf8'))
const given = readFileSync(0, 'utf8')
const craft = given.trim().startsWith('{') ? JSON.parse(given) : {}
if (!craft.unsigned_tx_hex) {
  console.error(`This is no craft response: ${given.trim().slice(0, 500) || 'nothing at all'}`)
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

// Signs a craft response (standard input) with the sandbox's first wallet and writes the body for prepare (standard output).
// Stands for whatever holds your keys: the service never sees this step.
import { readFileSync } from 'node:fs'
import { SigningKey } from 'ethers'

const { wallets } = JSON.parse(readFileSync(`${process.env.SVC_DATA ?? '.svc'}/sandbox.json`, 'utf8'))
const craft = JSON.parse(readFileSync(0, 'utf8'))
if (!craft.unsigned_tx_hash_hex) {
  console.error(`This is no craft response: ${JSON.stringify(craft)}`)
  process.exit(1)
}
const { r, s, v } = new SigningKey(wallets.evm[0].privateKey).sign(craft.unsigned_tx_hash_hex)
process.stdout.write(JSON.stringify({ serialized_tx_hex: craft.serialized_tx_hex, r, s, v }))

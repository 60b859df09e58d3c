// Signs a craft response (standard input) with the sandbox's first wallet and writes the body for prepare (standard output).
// Stands for whatever holds your keys: the service never sees this step.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SigningKey } from 'ethers'

const file = `${process.env.SVC_DATA ?? fileURLToPath(new URL('../../../.svc', import.meta.url))}/sandbox.json`
if (!existsSync(file)) {
  console.error(`There is no ${file}: start the sandbox with npm start, and name its data folder with SVC_DATA where it is another one.`)
  process.exit(1)
}
const { wallets } = JSON.parse(readFileSync(file, 'utf8'))
const given = readFileSync(0, 'utf8')
const craft = given.trim().startsWith('{') ? JSON.parse(given) : {}
if (!craft.unsigned_tx_hash_hex) {
  console.error(`This is no craft response: ${given.trim().slice(0, 500) || 'nothing at all'}`)
  process.exit(1)
}
const { r, s, v } = new SigningKey(wallets.evm[0].privateKey).sign(craft.unsigned_tx_hash_hex)
process.stdout.write(JSON.stringify({ serialized_tx_hex: craft.serialized_tx_hex, r, s, v }))

// Signs the hash of a craft response (standard input) with the sandbox's first Cosmos wallet and writes the body for prepare (standard output).
// Stands for whatever holds your keys: the service never sees this step.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex, toHex } from '@cosmjs/encoding'

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
const signature = Secp256k1.createSignature(fromHex(craft.unsigned_tx_hash_hex), fromHex(wallets.cosmos[0].privateKey))
const body = {
  tx_body_hex: craft.unsigned_tx_hex,
  tx_auth_info_hex: craft.tx_auth_info_hex,
  // r and s; what follows them is of no use here.
  signature_hex: toHex(signature.toFixedLength().slice(0, 64)),
}
process.stdout.write(JSON.stringify(body))

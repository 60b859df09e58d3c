// Signs the hash of a craft response (standard input) with the sandbox's first Cosmos wallet and writes the body for prepare (standard output).
// Stands for whatever holds your keys: the service never sees this step.
import { readFileSync } from 'node:fs'
import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex, toHex } from '@cosmjs/encoding'

const { wallets } = JSON.parse(readFileSync(`${process.env.SVC_DATA ?? '.svc'}/sandbox.json`, 'utf8'))
const craft = JSON.parse(readFileSync(0, 'utf8'))
if (!craft.unsigned_tx_hash_hex) {
  console.error(`This is no craft response: ${JSON.stringify(craft)}`)
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

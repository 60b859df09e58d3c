// Signs the hash of a craft response with the sandbox's first Cosmos wallet.
// Stands for whatever holds your keys: a craft response on standard input, the body for prepare on standard output.
import { Secp256k1 } from '@cosmjs/crypto'
import { fromHex, toHex } from '@cosmjs/encoding'
import { custodian } from '@svc/example-sandbox/custodian'

await custodian('unsigned_tx_hash_hex', (craft, { cosmos: [wallet] }) => {
  const signature = Secp256k1.createSignature(fromHex(craft.unsigned_tx_hash_hex), fromHex(wallet.privateKey))
  return {
    tx_body_hex: craft.unsigned_tx_hex,
    tx_auth_info_hex: craft.tx_auth_info_hex,
    // r and s; what follows them is of no use here.
    signature_hex: toHex(signature.toFixedLength().slice(0, 64)),
  }
})

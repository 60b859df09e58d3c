// Signs a craft response (standard input) with the sandbox's first Sui wallet and writes the body for prepare (standard output).
// Stands for whatever holds your keys: the service never sees this step.
import { readFileSync } from 'node:fs'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'

const { wallets } = JSON.parse(readFileSync(`${process.env.SVC_DATA ?? '.svc'}/sandbox.json`, 'utf8'))
const craft = JSON.parse(readFileSync(0, 'utf8'))
if (!craft.unsigned_tx_b64) {
  console.error(`This is no craft response: ${JSON.stringify(craft)}`)
  process.exit(1)
}
// What is signed is BLAKE2b-256 of 00 00 00 and the bytes; the signature is the scheme's flag, 64 bytes, and the public key.
const keypair = Ed25519Keypair.fromSecretKey(wallets.move[0].secretKey)
const { signature } = await keypair.signTransaction(Buffer.from(craft.unsigned_tx_b64, 'base64'))
process.stdout.write(JSON.stringify({ unsigned_tx_b64: craft.unsigned_tx_b64, signatures: [signature] }))

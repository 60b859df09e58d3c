// Signs a craft response (standard input) with the sandbox's first Sui wallet and writes the body for prepare (standard output).
// Stands for whatever holds your keys: the service never sees this step.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'

const file = `${process.env.SVC_DATA ?? fileURLToPath(new URL('../../../.svc', import.meta.url))}/sandbox.json`
if (!existsSync(file)) {
  console.error(`There is no ${file}: start the sandbox with npm start, and name its data folder with SVC_DATA where it is another one.`)
  process.exit(1)
}
const { wallets } = JSON.parse(readFileSync(file, 'utf8'))
const given = readFileSync(0, 'utf8')
const craft = given.trim().startsWith('{') ? JSON.parse(given) : {}
if (!craft.unsigned_tx_b64) {
  console.error(`This is no craft response: ${given.trim().slice(0, 500) || 'nothing at all'}`)
  process.exit(1)
}
// What is signed is BLAKE2b-256 of 00 00 00 and the bytes; the signature is the scheme's flag, 64 bytes, and the public key.
const keypair = Ed25519Keypair.fromSecretKey(wallets.move[0].secretKey)
const { signature } = await keypair.signTransaction(Buffer.from(craft.unsigned_tx_b64, 'base64'))
process.stdout.write(JSON.stringify({ unsigned_tx_b64: craft.unsigned_tx_b64, signatures: [signature] }))

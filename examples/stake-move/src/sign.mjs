// Signs a craft response with the sandbox's first Sui wallet.
// Stands for whatever holds your keys: a craft response on standard input, the body for prepare on standard output.
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { custodian } from '@svc/example-sandbox/custodian'

await custodian('unsigned_tx_b64', async ({ unsigned_tx_b64 }, { move: [wallet] }) => {
  // What is signed is BLAKE2b-256 of 00 00 00 and the bytes; the signature is the scheme's flag, 64 bytes, and the public key.
  const keypair = Ed25519Keypair.fromSecretKey(wallet.secretKey)
  const { signature } = await keypair.signTransaction(Buffer.from(unsigned_tx_b64, 'base64'))
  return { unsigned_tx_b64, signatures: [signature] }
})

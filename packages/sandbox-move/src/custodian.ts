import { toSerializedSignature } from '@mysten/sui/cryptography'
import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import { type CustodianSignature, requireHash } from '@svc/sandbox'
import type { MoveWallet } from './wallets.ts'

/**
 * Signs the digest of a transaction with its intent, as a custodian would.
 *
 * @throws SandboxError `INVALID_INPUT` for what has not 32 bytes
 */
export async function signDigest({ secretKey }: MoveWallet, digest: Uint8Array): Promise<CustodianSignature> {
  requireHash(digest, 'the digest of a Sui transaction')
  const pair = Ed25519Keypair.fromSecretKey(secretKey)
  const publicKey = pair.getPublicKey()
  const signature = await pair.sign(Uint8Array.from(digest))
  return {
    algorithm: 'ed25519',
    signature: Buffer.from(signature).toString('hex'),
    publicKey: Buffer.from(publicKey.toRawBytes()).toString('hex'),
    prepare: { signatures: [toSerializedSignature({ signature, signatureScheme: 'ED25519', publicKey })] },
  }
}

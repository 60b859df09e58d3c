import { Secp256k1 } from '@cosmjs/crypto'
import { type CustodianSignature, requireHash } from '@svc/sandbox'
import type { CosmosKeys } from './wallets.ts'

/** Signs the hash of a sign document as a custodian would, without hashing it again. @throws SandboxError `INVALID_INPUT` for what has not 32 bytes */
export async function signHash({ privateKey, publicKey }: CosmosKeys, hash: Uint8Array): Promise<CustodianSignature> {
  requireHash(hash, 'the hash of a sign document')
  const rawSignature = await Secp256k1.createSignature(hash, Uint8Array.from(Buffer.from(privateKey, 'hex')))
  const signature = Buffer.concat([rawSignature.r(32), rawSignature.s(32)]).toString('hex')
  return { algorithm: 'secp256k1', signature, publicKey, prepare: { signature_hex: signature } }
}

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { type CustodianSignature, requireHash } from '@svc/sandbox'
import type { EvmWallet } from './wallets.ts'

/** Base of `v`, besides the recovery id: 27, as in the transactions from before EIP-155. @see https://eips.ethereum.org/EIPS/eip-155 (read 2026-11-22) */
const V = 27n

/** Signs the hash of a transaction as a custodian would, without hashing it again. @throws SandboxError `INVALID_INPUT` for what has not 32 bytes */
export function signHash({ privateKey }: EvmWallet, hash: Uint8Array): CustodianSignature {
  requireHash(hash, 'the hash of an EVM transaction')
  const key = Uint8Array.from(Buffer.from(privateKey.slice(2), 'hex'))
  const [recovery = 0, ...bytes] = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
  const signature = Buffer.from(bytes)
  const [r, s] = [signature.subarray(0, 32), signature.subarray(32)].map((half) => `0x${half.toString('hex')}`)
  return {
    algorithm: 'secp256k1',
    signature: signature.toString('hex'),
    publicKey: Buffer.from(secp256k1.getPublicKey(key)).toString('hex'),
    prepare: { r, s, v: Number(V) + recovery },
  }
}

import { sign } from 'node:crypto'
import type { CustodianSignature } from '@svc/sandbox'
import { privateKeyOf } from './keys.ts'
import { fromBase58 } from './litesvm.ts'
import type { SvmWallet } from './wallets.ts'

/** Length of the secret half of a key pair. */
const SEED_BYTES = 32

/** Signs the message of a transaction as a custodian would. */
export function signMessage({ secretKey, address }: SvmWallet, message: Uint8Array): CustodianSignature {
  const signature = sign(null, message, privateKeyOf(fromBase58(secretKey).subarray(0, SEED_BYTES))).toString('hex')
  return {
    algorithm: 'ed25519',
    signature,
    publicKey: Buffer.from(fromBase58(address)).toString('hex'),
    prepare: { signatures: [signature] },
  }
}

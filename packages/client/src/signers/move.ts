import { transactionOf } from '@svc/verify/move'
import type { Signer } from '../transaction.ts'

/** A key pair of `@mysten/sui`. */
export interface SuiKeypair {
  signTransaction(bytes: Uint8Array): Promise<{ readonly signature: string }>
}

/**
 * Makes a signer of a key pair of Sui. It signs the transaction with its intent, as wallets do, and sends nothing.
 *
 * @see https://sdk.mystenlabs.com/sui/cryptography/keypairs (read 2026-11-22)
 */
export function suiKeypair(keypair: SuiKeypair): Signer {
  return { sign: async ({ answer }) => (await keypair.signTransaction(transactionOf(answer))).signature }
}

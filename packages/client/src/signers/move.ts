import { transactionOf, writeSigned } from '@svc/verify/move'
import { SetupError } from '../errors.ts'
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

/** A wallet of the Wallet Standard for Sui; to sign it needs the feature `sui:signTransaction`. @see https://docs.sui.io/standards/wallet-standard (read 2026-11-29) */
export interface SuiWallet<Account> {
  readonly features: {
    readonly 'sui:signTransaction'?: {
      signTransaction(input: {
        readonly transaction: { toJSON(): Promise<string> }
        readonly account: Account
        readonly chain: `sui:${string}`
      }): Promise<{ readonly bytes: string; readonly signature: string }>
    }
  }
}

/**
 * Makes a signer of a Sui wallet that follows the Wallet Standard. The wallet gets the transaction as a description and builds its bytes anew; these are compared with the
 * order.
 *
 * @param from makes a transaction of its bytes: `Transaction.from` of `@mysten/sui/transactions`
 * @throws SetupError when the wallet cannot sign without sending
 */
export function suiWallet<Account>(
  wallet: SuiWallet<Account>,
  account: Account,
  from: (bytes: Uint8Array) => { toJSON(): Promise<string> },
): Signer {
  const { 'sui:signTransaction': feature } = wallet.features
  if (!feature) throw new SetupError('The wallet has no feature sui:signTransaction, so that it cannot sign without sending.')
  return {
    async sign({ answer, chainId }) {
      const { bytes, signature } = await feature.signTransaction({
        transaction: from(transactionOf(answer)),
        account,
        chain: `sui:${chainId}`,
      })
      return { signedTx: writeSigned(bytes, [signature]) }
    },
  }
}

import { transactionOf } from '@svc/verify/svm'
import { SetupError } from '../errors.ts'
import type { Signer } from '../transaction.ts'

/** A key pair of `@solana/web3.js`, or whatever has its 64 bytes: the secret seed, and the public key. */
export interface SolanaKeypair {
  readonly secretKey: Uint8Array
}

/** Bytes before the 32 bytes of an Ed25519 seed in PKCS #8. @see https://www.rfc-editor.org/rfc/rfc8410 section 10.3 (read 2026-11-22) */
const PKCS8 = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20] as const
const SEED = 32

/** Makes a signer of a key pair of Solana. The key stays in this process; Web Crypto signs, and must know Ed25519. */
export function solanaKeypair({ secretKey }: SolanaKeypair): Signer {
  return {
    async sign({ payload }) {
      const { subtle } = globalThis.crypto
      const key = await subtle.importKey('pkcs8', Uint8Array.of(...PKCS8, ...secretKey.subarray(0, SEED)), 'Ed25519', false, ['sign'])
      return new Uint8Array(await subtle.sign('Ed25519', key, Uint8Array.from(payload)))
    },
  }
}

/** A wallet of the Wallet Standard; to sign it needs the feature `solana:signTransaction`, which not each has. @see https://github.com/anza-xyz/wallet-standard (read 2026-11-22) */
export interface SolanaWallet<Account> {
  readonly features: {
    readonly 'solana:signTransaction'?: {
      signTransaction(input: {
        account: Account
        transaction: Uint8Array
        chain?: never
      }): Promise<readonly { readonly signedTransaction: Uint8Array }[]>
    }
  }
}

/**
 * Makes a signer of a Solana wallet that follows the Wallet Standard. Instructions that it adds by itself, such as assertions, are compared with the order.
 *
 * @throws SetupError when the wallet can only send what it signs
 */
export function walletStandard<Account>(wallet: SolanaWallet<Account>, account: Account): Signer {
  const { 'solana:signTransaction': feature } = wallet.features
  if (!feature) throw new SetupError('The wallet has no feature solana:signTransaction, so that it cannot sign without sending.')
  return {
    async sign({ answer }) {
      const [signed] = await feature.signTransaction({ account, transaction: transactionOf(answer) })
      return { signedTx: hexOf(signed?.signedTransaction ?? new Uint8Array()) }
    },
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

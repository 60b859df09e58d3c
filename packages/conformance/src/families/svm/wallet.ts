import type { Wallet } from '../../wallet.ts'
import type { KeyPair } from './wire.ts'

/** A wallet of the tests on Solana. */
export interface SvmWallet extends Wallet {
  readonly key: KeyPair
}

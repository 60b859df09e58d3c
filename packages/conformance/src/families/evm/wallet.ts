import type { SigningKey } from 'ethers'
import type { Wallet } from '../../wallet.ts'

/** A wallet of the EVM family, with its key. */
export interface EvmWallet extends Wallet {
  readonly key: SigningKey
}

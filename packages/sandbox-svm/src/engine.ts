import type { ChainEngine } from '@svc/sandbox'
import { loadEngine, type SvmChain, startSvmChain } from './svm-chain.ts'
import { type SvmWallet, svmWallets } from './wallets.ts'

/** Engine of local Solana chains, for scenarios. */
export const svmEngine: ChainEngine<SvmChain, SvmWallet> = {
  family: 'svm',
  load: loadEngine,
  start: startSvmChain,
  wallets: async () => svmWallets,
  addressOf: ({ address }) => address,
  sign: async (wallet, payload) => (await import('./custodian.ts')).signMessage(wallet, payload),
}

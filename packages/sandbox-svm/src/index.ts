import type { Scenario } from '@svc/sandbox'
import type { SvmChain } from './svm-chain.ts'
import type { SvmWallet } from './wallets.ts'

export { lastTwo } from '@svc/sandbox'
export { svmEngine } from './engine.ts'
export { SvmChain, startSvmChain } from './svm-chain.ts'
export type {
  SvmAccount,
  SvmCluster,
  SvmFee,
  SvmHead,
  SvmStakeOptions,
  SvmStakePool,
  SvmStakePoolFees,
  SvmStakePoolOptions,
  SvmValidator,
  SvmValidatorOptions,
} from './types.ts'
export { type SvmWallet, svmWallets } from './wallets.ts'

/** Scenario that the `sandbox/index.ts` of a plugin for Solana exports. */
export type SvmScenario = Scenario<SvmChain, SvmWallet>

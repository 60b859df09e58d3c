export { SvmChain, startSvmChain } from './svm-chain.ts'
export type {
  SvmAccount,
  SvmCluster,
  SvmFee,
  SvmHead,
  SvmStakePool,
  SvmStakePoolFees,
  SvmStakePoolOptions,
  SvmValidator,
  SvmValidatorOptions,
} from './types.ts'
export { type SvmWallet, svmWallets } from './wallets.ts'

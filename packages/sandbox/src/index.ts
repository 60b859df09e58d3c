export { type ChainOperation, maxBlocks, maxEpochs, maxSeconds, type SandboxChain, type Step } from './chain.ts'
export { type Control, startControl } from './control.ts'
export { type CosmosChain, cosmosEpochSeconds, startCosmosChain } from './cosmos/cosmos-chain.ts'
export type { CosmosGenesis, FeeMarket, GenesisValidator, InflationMint, MinimumPrice, ScheduleMint } from './cosmos/genesis.ts'
export { type CosmosWallet, cosmosPath, cosmosWallets, publicMnemonics } from './cosmos/wallets.ts'
export { SandboxError, type SandboxErrorCode } from './error.ts'
export { type AdvanceHandler, type EvmCall, type EvmChain, type EvmReceipt, startEvmChain } from './evm-chain.ts'
export { type Fault, FaultSwitch, parseFault } from './fault.ts'
export { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
export { MoveChain, type MoveWallet, moveWallets, startMoveChain } from './move/index.ts'
export { multicallAbi, multicallAddress, multicallCode } from './multicall.ts'
export { type Sandbox, startSandbox } from './sandbox.ts'
export type { AnyScenario, Installed, Scenario } from './scenario.ts'
export {
  type SvmAccount,
  SvmChain,
  type SvmFee,
  type SvmStakePool,
  type SvmStakePoolOptions,
  type SvmValidator,
  type SvmWallet,
  startSvmChain,
  svmWallets,
} from './svm/index.ts'
export { formatUnits, parseUnits } from './units.ts'
export { fundedWallets, type TestWallet, walletAmount } from './wallets.ts'

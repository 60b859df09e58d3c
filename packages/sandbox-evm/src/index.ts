import type { Scenario } from '@svc/sandbox'
import type { EvmChain } from './evm-chain.ts'
import type { EvmWallet } from './wallets.ts'

export { evmEngine } from './engine.ts'
export { type AdvanceHandler, type EvmCall, EvmChain, type EvmReceipt, startEvmChain } from './evm-chain.ts'
export { multicallAbi, multicallAddress, multicallCode } from './multicall.ts'
export { addressFromEnd, type EvmWallet, evmWallets } from './wallets.ts'

/** Scenario that the `sandbox/index.ts` of a plugin for an EVM chain exports. */
export type EvmScenario = Scenario<EvmChain, EvmWallet>

import type { Scenario } from '@svc/sandbox'
import type { MoveChain } from './move-chain.ts'
import type { MoveWallet } from './wallets.ts'

export { lastTwo } from '@svc/sandbox'
export { moveEngine } from './engine.ts'
export { MoveChain, startMoveChain } from './move-chain.ts'
export type { NewValidator } from './validators.ts'
export { type MoveWallet, moveWallets } from './wallets.ts'

/** Scenario that the `sandbox/index.ts` of a plugin for Sui exports. */
export type MoveScenario = Scenario<MoveChain, MoveWallet>

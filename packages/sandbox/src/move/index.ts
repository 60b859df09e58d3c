export { MoveChain, startMoveChain } from './move-chain.ts'
export type { NewValidator } from './validators.ts'
export { type MoveWallet, moveWallets } from './wallets.ts'

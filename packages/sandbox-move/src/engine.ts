import type { ChainEngine } from '@svc/sandbox'
import { loadNode, type MoveChain, startMoveChain } from './move-chain.ts'
import { type MoveWallet, moveWallets } from './wallets.ts'

/** Engine of local Sui chains, for scenarios. */
export const moveEngine: ChainEngine<MoveChain, MoveWallet> = {
  family: 'move',
  load: loadNode,
  start: startMoveChain,
  wallets: async () => moveWallets,
  addressOf: ({ address }) => address,
  sign: async (wallet, payload) => (await import('./custodian.ts')).signDigest(wallet, payload),
}

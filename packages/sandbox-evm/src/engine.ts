import { type ChainEngine, SandboxError, show } from '@svc/sandbox'
import { type EvmChain, startEvmChain } from './evm-chain.ts'
import { type EvmWallet, evmWallets } from './wallets.ts'

/** Engine of local EVM chains, for scenarios. */
export const evmEngine: ChainEngine<EvmChain, EvmWallet> = {
  family: 'evm',
  async start({ chainId, log }) {
    if (/^[1-9]\d*$/.test(chainId)) return startEvmChain({ chainId: Number(chainId), log })
    throw new SandboxError('INVALID_INPUT', `chainId is ${show(chainId)}: it must be a decimal number, such as "143"`)
  },
  wallets: async () => evmWallets,
  addressOf: ({ address }) => address,
  sign: async (wallet, payload) => (await import('./custodian.ts')).signHash(wallet, payload),
}

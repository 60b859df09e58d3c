import type { NetworkTerms } from '../intent/network.ts'

/** What is publicly known of a network, so that a transaction can be put into words without agreed terms. */
export interface KnownNetwork {
  readonly name: string
  readonly terms: Omit<NetworkTerms, 'max_fee'> & { readonly chain_identifier?: string }
  /** More than this is far above what staking costs there, in native tokens: ten times and more of what was measured, and what this project's plugins never pay unless their operator says otherwise. */
  readonly highFee: string
}

// EVM: https://chainid.network/chains.json (read 2026-11-22), by chain id.
const EVM: Readonly<Record<string, readonly [name: string, symbol: string, highFee: string]>> = {
  '1': ['Ethereum', 'ETH', '0.1'],
  '560048': ['Hoodi', 'ETH', '0.1'],
  '143': ['Monad', 'MON', '5'],
  '10143': ['Monad Testnet', 'MON', '5'],
  '1672': ['Pharos', 'PROS', '0.1'],
}
const EVM_DECIMALS = 18

// Cosmos: https://github.com/cosmos/chain-registry (cosmoshub/chain.json, celestia/chain.json; read 2026-11-22), by the base unit of fees.
const COSMOS: Readonly<Record<string, KnownNetwork>> = {
  uatom: {
    name: 'Cosmos Hub',
    terms: { chainId: 'cosmoshub-4', caip2: 'cosmos:cosmoshub-4', decimals: 6, symbol: 'ATOM' },
    highFee: '0.1',
  },
  utia: { name: 'Celestia', terms: { chainId: 'celestia', caip2: 'cosmos:celestia', decimals: 6, symbol: 'TIA' }, highFee: '0.1' },
}

/** @see https://chainagnostic.org/CAIPs/caip-30 (read 2026-11-22) */
const SOLANA: KnownNetwork = {
  name: 'Solana',
  terms: { chainId: 'mainnet-beta', caip2: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', decimals: 9, symbol: 'SOL' },
  highFee: '0.001',
}

/** Its first checkpoint, by which transactions name it: https://docs.sui.io/references/sui-api (read 2026-11-22) */
const SUI: KnownNetwork = {
  name: 'Sui',
  terms: {
    chainId: 'mainnet',
    caip2: 'sui:mainnet',
    decimals: 9,
    symbol: 'SUI',
    chain_identifier: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S',
  },
  highFee: '0.5',
}

/** An EVM chain by its number; one that is not known is called by it, and its token has no name. */
export function evmNetwork(chainId: string): KnownNetwork {
  const [name, symbol, highFee] = EVM[chainId] ?? [`EVM chain ${chainId}`, 'native tokens', '1']
  return { name, terms: { chainId, caip2: `eip155:${chainId}`, decimals: EVM_DECIMALS, symbol }, highFee }
}

/** A chain of the Cosmos SDK by the base unit of its fees. */
export function cosmosNetwork(denom: string, prefix: string): KnownNetwork {
  const other = `a chain with addresses ${prefix}1…`
  return (
    COSMOS[denom] ?? { name: other, terms: { chainId: other, caip2: `cosmos:${prefix}`, decimals: 0, symbol: denom }, highFee: '1000000' }
  )
}

/** Solana, of which the bytes do not say whether it is mainnet, testnet or devnet. */
export const solanaNetwork: KnownNetwork = SOLANA

/** Sui's mainnet; of another network the bytes say an identifier at most. */
export const suiNetwork: KnownNetwork = SUI

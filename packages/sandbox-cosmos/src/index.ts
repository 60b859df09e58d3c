import type { Scenario } from '@svc/sandbox'
import type { CosmosChain } from './cosmos-chain.ts'
import type { CosmosWallet } from './wallets.ts'

export type { CosmosChain } from './cosmos-chain.ts'
export { cosmosEngine, startCosmosChain } from './engine.ts'
export type {
  CosmosGenesis,
  EpochMint,
  FeeMarket,
  GenesisKeys,
  GenesisValidator,
  InflationMint,
  MinimumPrice,
  RateMint,
  ScheduleMint,
} from './genesis.ts'
export { hubScenario } from './hub.ts'
export { type CosmosKeys, type CosmosWallet, cosmosKeys, cosmosWallets } from './wallets.ts'

/** Scenario that the `sandbox/index.ts` of a plugin for a Cosmos chain exports. A chain is made by one scenario, which gives it its genesis. */
export type CosmosScenario = Scenario<CosmosChain, CosmosWallet>

import { type CosmosScenario, cosmosEngine } from '@svc/sandbox-cosmos'
import { genesis } from './genesis.ts'

/** Two validators, and stake moves from the second to the first. */
export const scenario: CosmosScenario = {
  engine: cosmosEngine,
  chain: 'cosmos:cosmoshub-4',
  async install(chain) {
    chain.genesis(genesis)
    return { settings: { source: chain.validator('source'), target: chain.validator('target') } }
  },
}

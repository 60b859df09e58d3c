import type { Requirement } from '@svc/contract/requirements'
import { COSMOS_NODE, type CosmosClient, type CosmosNetwork, missingQueries } from '@svc/kit-cosmos'

const QUERIES = ['/cosmos.staking.v1beta1.Query/Validator', '/cosmos.staking.v1beta1.Query/Delegation']

/** Requirements of moves for a node, besides those of every protocol of the family: `svc check` asks for them. */
export const requirements: readonly Requirement<CosmosClient, CosmosNetwork>[] = [
  {
    name: 'queries of staking',
    weight: 'needed',
    calls: QUERIES.map((path) => `abci_query ${path}`),
    without: 'neither balances nor transactions',
    setting: COSMOS_NODE.modules,
    probe: (ctx) => missingQueries(ctx, QUERIES),
  },
]

import type { Requirement } from '@svc/contract'
import { COSMOS_NODE, type CosmosClient, type CosmosNetwork, missingQueries } from '@svc/kit-cosmos'

const QUERIES = ['/cosmos.staking.v1beta1.Query/Validator', '/cosmos.staking.v1beta1.Query/Delegation']

/** What a node must have for moves, besides what every protocol of the family needs: `svc check` asks for it. */
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

import type { ServiceError } from '@svc/contract'
import { unprocessable } from '../codes.ts'

/** Makes the refusal for a vault that must be harvested while the values for that are missing. @param hasSubgraph whether there is an indexer that could give them */
export function harvestUnavailable(vault: string, hasSubgraph: boolean): ServiceError {
  const why = hasSubgraph
    ? 'its indexer does not give the values for it at the moment'
    : 'no indexer is configured that gives the values for it'
  return unprocessable(
    'HARVEST_UNAVAILABLE',
    `The vault ${vault} is behind the oracles and must be harvested first, and ${why}. Try again once somebody has harvested it.`,
  )
}

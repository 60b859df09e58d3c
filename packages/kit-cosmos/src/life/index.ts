import type { Life } from '@svc/contract'
import type { CosmosChain } from '../chain.ts'
import type { CosmosClient } from '../client.ts'
import type { CosmosSettings } from '../settings.ts'
import type { CosmosWire } from '../wire.ts'
import { cosmosBounds, craftedUntil } from './bounds.ts'
import type { CosmosReceipt } from './events.ts'
import { PROGRESS } from './facts.ts'
import { transactionHashOf } from './hash.ts'
import { lookCosmos } from './look.ts'

/** Makes the functions that follow a chain's transactions after their broadcast. */
export function cosmosLife(chain: CosmosChain): Life<CosmosClient, CosmosWire, CosmosSettings, CosmosReceipt> {
  return {
    hash: transactionHashOf,
    bounds: (body) => cosmosBounds(chain, body),
    validUntil: (_unsigned, _network, terms) => craftedUntil(terms),
    look: (ctx, subject) => lookCosmos(chain, ctx, subject),
    progress: PROGRESS,
    inclusionMs: () => chain.inclusionMs,
  }
}

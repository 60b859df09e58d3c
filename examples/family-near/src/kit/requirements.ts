import { missingMethod, type Requirement } from '@svc/contract'
import type { NearClient } from './client.ts'
import type { NearNetwork } from './settings.ts'

/** What every node of the family must have. */
export const nearRequirements: readonly Requirement<NearClient, NearNetwork>[] = [
  {
    name: 'the node’s RPC',
    weight: 'needed',
    calls: ['status', 'query', 'gas_price', 'block', 'validators', 'send_tx', 'tx'],
    without: 'nothing can be read, crafted or sent',
    setting: {
      name: '`rpc.addr` of config.json, and `tracked_shards_config` with `"AllShards"`',
      standard: 'the RPC is on; a node that validates tracks the shards that it has to',
      source: 'https://near-nodes.io/rpc/run-rpc-node-without-nearup',
      read: '2026-11-23',
    },
    probe: (ctx) => missingMethod(ctx, { status: [], gas_price: [null], block: { finality: 'final' }, validators: [null] }),
  },
]

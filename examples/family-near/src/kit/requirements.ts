import { missingMethod, type Requirement } from '@svc/contract/requirements'
import type { NearClient } from './client.ts'
import type { NearNetwork } from './settings.ts'

/** An implicit account, of a key of zeros that nobody has. */
const NOBODY = '0'.repeat(64)

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
    // Each method by itself: a gateway may pass all but one. What is sent is no transaction, and nobody has signed the one that is looked for.
    probe: (ctx) =>
      missingMethod(ctx, {
        status: [],
        query: { request_type: 'view_account', finality: 'final', account_id: NOBODY },
        gas_price: [null],
        block: { finality: 'final' },
        validators: [null],
        send_tx: { signed_tx_base64: '', wait_until: 'NONE' },
        tx: { tx_hash: '1'.repeat(32), sender_account_id: NOBODY, wait_until: 'NONE' },
      }),
  },
]

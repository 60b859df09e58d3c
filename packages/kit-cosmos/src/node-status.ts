import { badGateway, type KitContext } from '@svc/contract'
import type { CosmosClient } from './client.ts'
import { behind, malformed, NodeError } from './rpc.ts'
import type { CosmosNetwork } from './settings.ts'

/** What a node says of itself. */
export interface NodeStatus {
  readonly chainId: string
  readonly catchingUp: boolean
  /** Of its last block. */
  readonly blockTime: Date
}

/** Asks the node for what is used of its `status`; the rest of that answer differs between versions. @throws 502, 503, 504 */
export async function nodeStatus({ rpc }: CosmosClient): Promise<NodeStatus> {
  const { result } = await rpc.execute({ jsonrpc: '2.0', id: 0, method: 'status', params: {} }).catch((error: unknown) => {
    throw error instanceof NodeError ? badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", error) : error
  })
  const { node_info: node, sync_info: sync } = result as {
    node_info?: { network?: unknown }
    sync_info?: { catching_up?: unknown; latest_block_time?: unknown }
  }
  const blockTime = new Date(String(sync?.latest_block_time))
  if (typeof node?.network !== 'string' || typeof sync?.catching_up !== 'boolean' || Number.isNaN(blockTime.getTime())) throw malformed()
  return { chainId: node.network, catchingUp: sync.catching_up, blockTime }
}

/**
 * Refuses to craft from a node that serves another chain or lies behind: its sequence and balances would be wrong, and the transaction
 * useless. It travels with the other queries, in the same request.
 *
 * @throws 502 UPSTREAM_OTHER_CHAIN; 503 UPSTREAM_BEHIND
 */
export async function requireLiveNode(ctx: KitContext<CosmosClient>): Promise<void> {
  const network = ctx.network as CosmosNetwork
  const { chainId, catchingUp, blockTime } = await nodeStatus(ctx.client)
  if (chainId !== network.chainId)
    throw badGateway(
      'UPSTREAM_OTHER_CHAIN',
      `The node serves the chain ${chainId} instead of ${network.chainId}; the operator has to mend that.`,
    )
  const age = (ctx.now().getTime() - blockTime.getTime()) / 1000
  if (catchingUp || (network.max_block_age > 0 && age > network.max_block_age)) throw behind({ catchingUp, blockTime })
}

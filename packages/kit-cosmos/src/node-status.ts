import { malformedAnswer, membersOf, nodeBehind, requireChain, requireRecent } from '@svc/contract'
import type { JsonRpc, Sentinel } from '@svc/contract/rpc'
import type { CosmosNetwork } from './settings.ts'

/** Status of a node, by its own words. */
interface NodeStatus {
  readonly chainId: string
  readonly catchingUp: boolean
  /** Time of the node's last block. */
  readonly blockTime: Date
}

/** Reads the used part of a node's `status`; the rest of that answer differs between versions. @throws EndpointError */
function readStatus(result: unknown): NodeStatus {
  const { node_info: node, sync_info: sync } = membersOf(result)
  const { network: chainId } = membersOf(node)
  const { catching_up: catchingUp, latest_block_time: time } = membersOf(sync)
  const blockTime = new Date(String(time))
  if (typeof chainId !== 'string' || typeof catchingUp !== 'boolean' || Number.isNaN(blockTime.getTime())) throw malformedAnswer(result)
  return { chainId, catchingUp, blockTime }
}

/** Range of a node's history. */
export interface Reach {
  /** Height of the node's last block. */
  readonly head: bigint
  readonly headTime: Date
  /** Height of the first block that the node still has. */
  readonly lowest: bigint
  readonly lowestTime: Date
}

/** Reads from a node's status which blocks it has. @throws EndpointError */
export function readReach(result: unknown): Reach {
  const { blockTime: headTime } = readStatus(result)
  const { latest_block_height: latest, earliest_block_height: earliest, earliest_block_time: time } = membersOf(membersOf(result).sync_info)
  const [head, lowest, lowestTime] = [heightOf(latest), heightOf(earliest), new Date(String(time))]
  if (lowest > head || Number.isNaN(lowestTime.getTime())) throw malformedAnswer(result)
  return { head, headTime, lowest, lowestTime }
}

/** Reads a height in CometBFT's notation. @throws EndpointError for 0 and for what is none */
export function heightOf(text: unknown): bigint {
  if (typeof text !== 'string' || !/^[1-9]\d{0,17}$/.test(text)) throw malformedAnswer(text)
  return BigInt(text)
}

/** Asks an endpoint which chain it serves, without checking the answer. @throws 502, 503, 504 */
export async function chainOf({ rpc }: { readonly rpc: JsonRpc }): Promise<string> {
  return rpc.call('status', {}, (result) => readStatus(result).chainId, 'not')
}

/**
 * Makes the sentinel that checks whether a node serves the network's chain and has its latest blocks. Every wave asks it, reads and crafts alike: on another chain, or in
 * an older state, every balance and every sequence would be wrong.
 */
export function liveNode({ chainId, max_block_age: most }: CosmosNetwork, now: () => Date): Sentinel {
  return {
    method: 'status',
    params: [],
    within: (method) => (method === 'status' ? (result) => result : null),
    read(result) {
      const node = readStatus(result)
      requireChain(node.chainId, chainId)
      if (node.catchingUp) throw nodeBehind(node)
      requireRecent(node.blockTime, most, now())
      return { head: node.blockTime }
    },
  }
}

import { type KitIo, malformedAnswer, membersOf, nodeBehind, nodeBusy, requireChain, requireRecent, saysBusy } from '@svc/contract'
import { createJsonRpc, type JsonRpc, type JsonRpcFault, type Sentinel, unanswered } from '@svc/contract/rpc'
import type { NearNetwork } from './settings.ts'

/** What a node answered in place of a result, and what it says of the question: `cause.name` of its error. */
export class NodeVerdict extends Error {
  readonly cause_name: string
  readonly data: unknown
  constructor(name: string, data: unknown) {
    super(name)
    this.name = 'NodeVerdict'
    this.cause_name = name
    this.data = data
  }
}

/** Causes that are the chain's word on the question, by method. @see https://docs.near.org/api/rpc/errors (read 2026-11-23) */
const VERDICTS: Readonly<Record<string, readonly string[]>> = {
  query: ['UNKNOWN_ACCOUNT', 'UNKNOWN_ACCESS_KEY', 'NO_CONTRACT_CODE'],
  block: ['UNKNOWN_BLOCK', 'GARBAGE_COLLECTED_BLOCK'],
  tx: ['UNKNOWN_TRANSACTION'],
  send_tx: ['INVALID_TRANSACTION'],
}
const BEHIND = ['NOT_SYNCED_YET', 'NO_SYNCED_BLOCKS']

/** NEAR's JSON-RPC over the service's endpoints, one call a request: its nodes take no batches. Every node is asked which chain it serves, and how old its head is. */
export function createRpc(network: NearNetwork, io: Pick<KitIo, 'exchange' | 'now'>): JsonRpc {
  return createJsonRpc(io, { batchMax: 1, sentinels: () => [liveNode(network, io)], refusal })
}

function liveNode({ chainId, max_block_age }: NearNetwork, { now }: Pick<KitIo, 'now'>): Sentinel {
  return {
    method: 'status',
    params: [],
    read(result) {
      const { chain_id, sync_info } = membersOf(result)
      const { latest_block_time, syncing } = membersOf(sync_info)
      if (typeof chain_id !== 'string' || chain_id === '' || typeof syncing !== 'boolean') throw malformedAnswer(result)
      requireChain(chain_id, chainId)
      if (syncing) throw nodeBehind(result)
      // RFC 3339 with nanoseconds and Z, and nothing else that a Date would take.
      if (typeof latest_block_time !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(latest_block_time))
        throw malformedAnswer(result)
      const head = new Date(latest_block_time)
      requireRecent(head, max_block_age, now())
      return { head }
    },
  }
}

function refusal(method: string, fault: JsonRpcFault): Error {
  const { cause, message, data } = fault as JsonRpcFault & { readonly cause?: unknown }
  const { name } = membersOf(cause)
  if (typeof name === 'string' && VERDICTS[method]?.includes(name)) return new NodeVerdict(name, data)
  if (typeof name === 'string' && BEHIND.includes(name)) return nodeBehind(fault)
  if (saysBusy([message, data].filter((part) => typeof part === 'string').join(' '))) return nodeBusy(fault)
  return unanswered(fault)
}

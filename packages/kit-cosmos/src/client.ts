import { isEndpointError, isServiceError, type KitIo } from '@svc/contract'
import { createJsonRpc, type JsonRpc, unanswered } from '@svc/contract/rpc'
import { cosmosAgreement } from './agreement.ts'
import { applicationAnswer, nodeFault, type Query, QueryRefused, wordsOf } from './answer.ts'
import { broadcastFault } from './broadcast-fault.ts'
import { historyFault } from './life/history-fault.ts'
import { liveNode } from './node-status.ts'
import type { CosmosNetwork } from './settings.ts'

/** Methods that change the chain. @see https://docs.cometbft.com/main/rpc/#/Tx (read 2026-11-28) */
const WRITES: ReadonlySet<string> = new Set(['broadcast_tx_sync', 'broadcast_tx_async', 'broadcast_tx_commit', 'broadcast_evidence'])

/** Account numbers that one client remembers at most. */
const MOST_ACCOUNTS = 10_000

/**
 * A chain of the family over the service's endpoints. What is asked in the same turn is one wave to one endpoint, and the node's own state
 * is asked along with it: nothing is taken from a node that serves another chain or lies behind.
 */
export interface CosmosClient {
  readonly rpc: JsonRpc
  /**
   * Asks the chain's application.
   *
   * @throws what `refused` of the query throws; 502, 503, 504 when no endpoint gave a verdict of the chain
   */
  query<T>(query: Query<T>): Promise<T>
  /** Listens to what nodes push; undefined where the host does not. */
  readonly listen: KitIo['listen']
  /** Account numbers by address, which a chain never changes. */
  readonly accountNumbers: Pick<Map<string, bigint>, 'get' | 'set'>
}

/** Makes the client of a network; calls nothing. */
export function connectCosmos(network: CosmosNetwork, io: KitIo): CosmosClient {
  const rpc = createJsonRpc(io, {
    batchMax: network.batch_max,
    writes: WRITES,
    agreement: cosmosAgreement,
    sentinels: () => [liveNode(network, () => io.now())],
    refusal(method, fault, params) {
      const words = wordsOf(fault)
      return broadcastFault(method, words) ?? historyFault(method, words, params) ?? nodeFault(words)
    },
  })
  return {
    rpc,
    query<T>({ path, request, read, refused: onRefusal, lacks }: Query<T>) {
      const interpret = (result: unknown) =>
        interpreted(() => {
          const { bytes, height } = applicationAnswer(result)
          return read(bytes, height)
        }, onRefusal)
      return rpc.call('abci_query', { path, data: Buffer.from(request).toString('hex'), prove: false }, interpret, 'along', lacks)
    },
    listen: io.listen,
    accountNumbers: boundedMemory(),
  }
}

function interpreted<T>(answer: () => T, onRefusal: Query<T>['refused']): T {
  try {
    return answer()
  } catch (error) {
    if (!(error instanceof QueryRefused)) throw error
    if (onRefusal === undefined) throw unanswered(error)
    try {
      return onRefusal(error)
    } catch (failure) {
      throw isServiceError(failure) || isEndpointError(failure) ? failure : unanswered(failure)
    }
  }
}

/** Forgets the oldest beyond a bound: addresses come from callers. */
function boundedMemory(): Map<string, bigint> {
  const memory = new Map<string, bigint>()
  const set = memory.set.bind(memory)
  return Object.assign(memory, {
    set(address: string, number: bigint) {
      const [oldest] = memory.keys()
      if (oldest !== undefined && memory.size >= MOST_ACCOUNTS && !memory.has(address)) memory.delete(oldest)
      return set(address, number)
    },
  })
}

import { EndpointError, type KitIo, malformedAnswer, membersOf, nodeBusy, saysBusy } from '@svc/contract'
import { createJsonRpc, type JsonRpc, type JsonRpcFault, type Lacks, type SentinelTiming, unanswered } from '@svc/contract/rpc'
import { JsonRpcApiProvider, type JsonRpcError, type JsonRpcPayload, type JsonRpcResult, Network } from 'ethers'
import { evmAgreement } from './agreement.ts'
import { readBytes, readQuantity } from './answer.ts'
import { unavailable } from './codes.ts'
import { type Liveness, liveness } from './liveness.ts'
import { isFull, isKnownRefusal, isMempoolVerdict } from './mempool.ts'
import type { EvmNetwork } from './settings.ts'
import { isSimulationVerdict, ran } from './simulation.ts'

/** Code of geth and of hosts for a limit that is reached. @see https://eips.ethereum.org/EIPS/eip-1474 (read 2026-11-22) */
const LIMIT_EXCEEDED = -32_005

/** Methods that change the chain. @see https://ethereum.org/developers/docs/apis/json-rpc (read 2026-11-28) */
const WRITES: ReadonlySet<string> = new Set(['eth_sendRawTransaction', 'eth_sendTransaction'])

/** Words of a node that no longer has the state of a block. @see packages/testing/recordings/geth/count-old-block.json; "missing trie node" of geth's hash scheme (trie/errors.go, read 2026-11-28) */
const STATE_GONE = /historical state .* is not available|missing trie node/i
/** Words of geth before its chain has a final block, and after a start until its consensus client has spoken. @see recordings of geth v1.17.0, `block-finalized-none` and `count-finalized-none` */
const NO_FINAL_BLOCK = /^(?:finalized|safe) block not found$/i

function noFinalBlock(cause: unknown) {
  return unavailable('NO_FINAL_BLOCK', "The chain's node knows no final block yet: it has just started, or the chain has.", 30, cause)
}

/**
 * An ethers provider over the service's endpoints: one chain, no cache (a cached nonce is a wrong transaction), and calls that start together
 * travel in one batch to one endpoint, with the questions which chain that is and how old its head.
 *
 * What is no verdict of the chain (a revert, a refused transaction) is asked of the next endpoint, and becomes 502 or 503 after the last.
 */
export class EvmClient extends JsonRpcApiProvider {
  readonly #rpc: JsonRpc
  readonly #liveness: Liveness

  constructor(network: EvmNetwork, io: KitIo) {
    const chain = Network.from(BigInt(network.chainId))
    super(chain, { staticNetwork: chain, cacheTimeout: -1, polling: true })
    this.#liveness = liveness(network, io)
    this.#rpc = createJsonRpc(io, {
      batchMax: network.batch_max,
      sentinels: this.#liveness.sentinels,
      refusal: (method, fault, params) => this.#refusal(method, fault, params),
      writes: WRITES,
      agreement: evmAgreement,
    })
    this._start()
  }

  /** Tells whether reads may be gathered into one call of Multicall3. */
  get hasMulticall(): boolean {
    return this.#liveness.hasMulticall()
  }

  /**
   * A call whose answer is read while another endpoint can still be asked.
   *
   * @param read throws EndpointError, or anything else, for an answer that no chain gives
   * @param lacks tells a negative, for which every endpoint is asked
   * @throws ethers' errors for what the chain refused; 502, 503, 504 when no endpoint gave a verdict
   */
  ask<T>(method: string, params: readonly unknown[], read: (answer: unknown) => T, judged?: SentinelTiming, lacks?: Lacks<T>): Promise<T> {
    if (this.destroyed) return super.send(method, [...params]).then(read)
    return this.#rpc.call(method, params, read, judged, lacks)
  }

  /**
   * The latest block: what is due by the chain's own time is judged by it.
   *
   * @returns its time in seconds since 1970; its hash is 32 bytes
   * @throws 502, 503 when no endpoint answers one that is recent enough
   */
  head(): Promise<{ readonly number: bigint; readonly timestamp: bigint; readonly hash: string }> {
    return this.ask('eth_getBlockByNumber', ['latest', false], (answer) => {
      const block = membersOf(answer)
      const timestamp = readQuantity(block.timestamp)
      this.#liveness.requireFresh(timestamp)
      // No chain has more blocks than there were seconds since 1970.
      const [number, hash] = [readQuantity(block.number, 0n, timestamp), readBytes(block.hash)]
      if (hash.length !== 66) throw malformedAnswer(answer)
      return { number, timestamp, hash }
    })
  }

  /** Any call, its answer as it came. */
  override send(method: string, params: unknown[] | Record<string, unknown>): Promise<unknown> {
    if (this.destroyed) return super.send(method, params)
    return this.#rpc.call(method, params, (answer) => answer)
  }

  /**
   * A call that answers a number, such as a price or a nonce.
   *
   * @param least,most what a chain can answer; anything else is asked of the next endpoint
   * @throws 502 when no endpoint answers one
   */
  quantity(method: string, params: readonly unknown[], least?: bigint, most?: bigint): Promise<bigint> {
    return this.ask(method, params, (answer) => readQuantity(answer, least, most))
  }

  /**
   * A call that answers bytes, as 0x-prefixed hex.
   *
   * @param check throws when they have not the form that they must have
   * @throws 502 when no endpoint answers such
   */
  bytes(method: string, params: readonly unknown[], check?: (data: string) => unknown): Promise<string> {
    return this.ask(method, params, (answer) => {
      const data = readBytes(answer)
      check?.(data)
      return data
    })
  }

  /** Answers the calls in which ethers' own calls end; these do not come here, since `send` is ours. */
  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<(JsonRpcResult | JsonRpcError)[]> {
    const results = [payload].flat().map(async ({ id, method, params }) => ({ id, result: await this.send(method, params) }))
    return Promise.all(results)
  }

  #refusal(method: string, fault: JsonRpcFault, params: unknown): Error {
    const message = String(fault.message ?? '')
    // Few nodes know it, and none has to: whatever one answers, there is nothing better to be had from the next.
    if (method === 'txpool_statusByHash') return new Error(message)
    if (NO_FINAL_BLOCK.test(message)) return new EndpointError('no answer', noFinalBlock(fault))
    const simulates = method === 'eth_call' || method === 'eth_estimateGas'
    const sends = method === 'eth_sendRawTransaction'
    // A contract may say in its own words that a quota is used up, and a pool that an account's limit is reached: that is no state of the node.
    const judged = (simulates && ran(fault)) || (sends && isKnownRefusal(message))
    if (!judged && (fault.code === LIMIT_EXCEEDED || saysBusy(message))) return nodeBusy(fault)
    if (sends && isFull(message))
      return new EndpointError(
        'busy',
        unavailable(
          'MEMPOOL_FULL',
          "The chain's node takes no transactions at the moment. Send the same one again in a few seconds.",
          5,
          fault,
        ),
      )
    if (method === 'eth_getTransactionCount' && STATE_GONE.test(message)) return new EndpointError('not held', unanswered(fault).refusal)
    const verdict = judged || (sends ? isMempoolVerdict(fault) : simulates && isSimulationVerdict(fault))
    if (!verdict) return unanswered(fault)
    return super.getRpcError(
      { jsonrpc: '2.0', id: 0, method, params: Array.isArray(params) ? params : membersOf(params) },
      { id: 0, error: { ...fault, code: Number(fault.code), message } },
    )
  }
}

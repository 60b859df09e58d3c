import { badGateway, type KitIo, type NetworkBase, unavailable } from '@svc/contract'
import {
  JsonRpcApiProvider,
  type JsonRpcApiProviderOptions,
  type JsonRpcError,
  type JsonRpcPayload,
  type JsonRpcResult,
  Network,
} from 'ethers'
import type { EvmNetwork } from './settings.ts'

/** Busy, limits reached: worth another try in a moment. Texts of the usual node software and hosts, lower case. */
const BUSY = /concurrent requests? limit|limit exceeded|rate limit|too many requests|capacity|try again/i

/**
 * An ethers provider over the service's `fetch`: one chain, no cache (a cached nonce is a wrong transaction), and calls that start together
 * travel in one batch. Endpoints that refuse batches are noticed once and then asked call by call.
 *
 * Errors of a node that are not the chain's verdict (a revert, a refused transaction) become 502 and 503 here.
 */
export class EvmClient extends JsonRpcApiProvider {
  readonly #fetch: KitIo['fetch']
  #batches = true

  constructor(network: NetworkBase, io: KitIo) {
    const settings = network as EvmNetwork
    const chain = Network.from(BigInt(settings.chainId))
    const options: JsonRpcApiProviderOptions = {
      staticNetwork: chain,
      cacheTimeout: -1,
      batchStallTime: 0,
      batchMaxCount: settings.batch_max,
      polling: true,
    }
    super(chain, options)
    this.#fetch = io.fetch
    this._start()
  }

  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<(JsonRpcResult | JsonRpcError)[]> {
    if (!Array.isArray(payload)) return [await this.#post<JsonRpcResult | JsonRpcError>(payload)]
    if (this.#batches) {
      const answer = await this.#post<(JsonRpcResult | JsonRpcError)[] | JsonRpcError>(payload)
      if (Array.isArray(answer)) return answer
      this.#batches = false
    }
    return Promise.all(payload.map((each) => this.#post<JsonRpcResult | JsonRpcError>(each)))
  }

  override getRpcError(payload: JsonRpcPayload, answer: JsonRpcError): Error {
    const { error } = answer
    const message = String(error?.message ?? '')
    if (BUSY.test(message)) return unavailable('UPSTREAM_BUSY', "The chain's node is overloaded; try again in a few seconds.", 5, answer)
    const verdict =
      payload.method === 'eth_sendRawTransaction' ||
      ((payload.method === 'eth_call' || payload.method === 'eth_estimateGas') && isVerdict(error as JsonRpcError['error'] | undefined))
    if (verdict) return super.getRpcError(payload, answer)
    return badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", answer)
  }

  async #post<T>(body: unknown): Promise<T> {
    const response = await this.#fetch('http://upstream.invalid/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as T
  }
}

/** A simulation that ran and was refused, as opposed to a node that could not run it: code 3 is a revert, -32003 a refused transaction. */
function isVerdict(error: { code?: number; message?: string; data?: unknown } | undefined): boolean {
  if (!error) return false
  return (
    error.code === 3 ||
    error.code === -32003 ||
    typeof error.data === 'string' ||
    /revert|insufficient|out ?of ?gas|gas required/i.test(error.message ?? '')
  )
}

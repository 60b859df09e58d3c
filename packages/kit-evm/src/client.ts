import { badGateway, type KitIo, type NetworkBase, unavailable } from '@svc/contract'
import {
  isHexString,
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
  readonly #batchMax: number
  #batches = true
  #waiting: Waiting[] = []
  #lastId = 0

  constructor(network: NetworkBase, io: KitIo) {
    const settings = network as EvmNetwork
    const chain = Network.from(BigInt(settings.chainId))
    const options: JsonRpcApiProviderOptions = {
      staticNetwork: chain,
      cacheTimeout: -1,
      polling: true,
    }
    super(chain, options)
    this.#fetch = io.fetch
    this.#batchMax = settings.batch_max
    this._start()
  }

  /**
   * Sends a call with all others of this turn of the event loop. The provider's own batching writes the whole batch anew for each call
   * that joins it, to know its size: under load that was an eighth of a craft.
   */
  override send(method: string, params: unknown[] | Record<string, unknown>): Promise<unknown> {
    if (this.destroyed) return super.send(method, params)
    return new Promise((resolve, reject) => {
      const payload: JsonRpcPayload = { jsonrpc: '2.0', id: ++this.#lastId, method, params: params as JsonRpcPayload['params'] }
      if (this.#waiting.push({ payload, resolve, reject }) === 1) setImmediate(() => this.#sendWaiting())
    })
  }

  /**
   * A call that answers a number, such as a price or a nonce.
   *
   * @throws 502 when the answer is none
   */
  async quantity(method: string, params: readonly unknown[]): Promise<bigint> {
    const answer: unknown = await this.send(method, [...params])
    if (typeof answer !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(answer)) throw nonsense(method, answer)
    return BigInt(answer)
  }

  /**
   * A call that answers bytes, as 0x-prefixed hex.
   *
   * @throws 502 when the answer is none
   */
  async bytes(method: string, params: readonly unknown[]): Promise<string> {
    const answer: unknown = await this.send(method, [...params])
    if (!isHexString(answer) || answer.length % 2 !== 0) throw nonsense(method, answer)
    return answer
  }

  #sendWaiting(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (let from = 0; from < waiting.length; from += this.#batchMax) {
      const batch = waiting.slice(from, from + this.#batchMax)
      const payloads = batch.map(({ payload }) => payload)
      this._send(payloads.length === 1 ? payloads[0]! : payloads).then(
        (answers) => {
          batch.forEach(({ payload, resolve, reject }, index) => {
            const answer = answers[index]!
            if ('error' in answer) reject(this.getRpcError(payload, answer))
            else resolve(answer.result)
          })
        },
        (error) => {
          for (const { reject } of batch) reject(error)
        },
      )
    }
  }

  /** Answers in the order of the calls. */
  override async _send(payload: JsonRpcPayload | JsonRpcPayload[]): Promise<Answer[]> {
    if (!Array.isArray(payload)) return [await this.#one(payload)]
    if (this.#batches) {
      const answer = await this.#post(payload)
      if (Array.isArray(answer)) return payload.map((each) => answerTo(each, answer))
      // Busy is no verdict on batches: each call is answered with it.
      if (isAnswer(answer) && 'error' in answer && BUSY.test(String(answer.error?.message)))
        return payload.map(({ id }) => ({ id, error: answer.error }))
      this.#batches = false
    }
    return Promise.all(payload.map((each) => this.#one(each)))
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

  async #one(payload: JsonRpcPayload): Promise<Answer> {
    return answerTo(payload, [await this.#post(payload)])
  }

  async #post(body: unknown): Promise<unknown> {
    const response = await this.#fetch('http://upstream.invalid/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    try {
      return await response.json()
    } catch (error) {
      throw badGateway('UPSTREAM_ERROR', "The chain's node answered what is not JSON; try again.", error)
    }
  }
}

interface Waiting {
  readonly payload: JsonRpcPayload
  resolve(result: unknown): void
  reject(error: unknown): void
}

type Answer = JsonRpcResult | JsonRpcError

/** The answer to a call among those that came. @throws 502 when it is not among them */
function answerTo({ id, method }: JsonRpcPayload, answers: readonly unknown[]): Answer {
  const found = answers.find((each): each is Answer => isAnswer(each) && each.id === id)
  // A refusal of the whole request may leave its id out.
  const nameless = answers.find((each): each is JsonRpcError => isAnswer(each) && each.id === null && 'error' in each)
  if (found) return found
  if (nameless) return { ...nameless, id }
  throw nonsense(method, answers)
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && ('result' in value || 'error' in value)
}

function nonsense(method: string, answer: unknown) {
  return badGateway('UPSTREAM_ERROR', `The chain's node gave an answer to ${method} that is none; try again.`, { answer })
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

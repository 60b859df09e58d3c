import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../metrics.ts'
import { attempt, type Call, callOf } from './attempt.ts'
import { createPool, type Endpoint, type EndpointState, type Server } from './endpoints.ts'
import { Failure, refusal } from './failure.ts'

export interface RpcOptions {
  /** At least one, best first. */
  readonly endpoints: readonly Endpoint[]
  /** Of the group, for messages, log and metrics: `evm-three 143 rpc`. */
  readonly name: string
  /** Longest wait for one endpoint, its whole body included, in milliseconds. @default 5000 */
  readonly timeoutMs?: number
  /** Longest wait for a call, all endpoints together, in milliseconds. @default 12_000 */
  readonly deadlineMs?: number
  /** Most bytes of an answer. @default 64 MiB */
  readonly mostBytes?: number
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Milliseconds of a clock that never runs backwards. @default performance.now */
  readonly now?: () => number
  /** @default the global one, which keeps connections alive */
  readonly fetch?: typeof fetch
  readonly metrics?: Pick<Metrics, 'upstream'>
}

/** A group of endpoints of one chain behind one `fetch`. */
export interface Rpc {
  /**
   * Like the global one; scheme and host of the address are ignored, its path and query are appended to the endpoint's.
   *
   * @throws {ServiceError} 502 `UPSTREAM_UNAVAILABLE`, 503 `UPSTREAM_BUSY`, 504 `UPSTREAM_TIMEOUT`
   * @throws the reason of the caller's own signal
   */
  readonly fetch: typeof fetch
  endpoints(): readonly EndpointState[]
  /** Ends the calls under way, which fail with an AbortError, and refuses further ones. */
  close(): void
}

/**
 * Failover: a call goes to the first fit endpoint, and on to the next after a network error, a timeout, an overload, a refused
 * credential, or an answer that is none. Whatever a chain says inside an answer, JSON-RPC errors included, is its answer.
 * A call may so reach a chain twice; a transaction that was signed once has effect once.
 */
export function createRpc(options: RpcOptions): Rpc {
  const { name, timeoutMs = 5000, deadlineMs = 12_000, mostBytes = 64 * 1024 * 1024, log, now = () => performance.now(), metrics } = options
  const send = options.fetch ?? globalThis.fetch
  const pool = createPool(name, options.endpoints, now)
  const live = new Set<AbortController>()
  let closed = false

  async function rpcFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const call = await callOf(input, init)
    if (closed) throw new DOMException(`${name} is closed`, 'AbortError')
    // Follows the caller and the end of the group; `AbortSignal.any` would be kept for as long as a caller's signal lives.
    const end = new AbortController()
    const giveUp = () => end.abort(call.signal?.reason)
    if (call.signal?.aborted) giveUp()
    call.signal?.addEventListener('abort', giveUp, { once: true })
    live.add(end)
    try {
      return await failover({ ...call, signal: end.signal })
    } finally {
      live.delete(end)
      call.signal?.removeEventListener('abort', giveUp)
    }
  }

  async function failover(call: Call): Promise<Response> {
    const deadline = now() + deadlineMs
    const failures: Failure[] = []
    for (const server of pool.order()) {
      const left = deadline - now()
      if (left <= 0) throw refusal(name, failures, true)
      const result = await tried(call, server, Math.min(timeoutMs, left))
      if (result instanceof Response) return result
      failures.push(result)
    }
    throw refusal(name, failures, now() >= deadline)
  }

  /** One endpoint, noted in its state, in the log and in the metrics. */
  async function tried(call: Call, server: Server, waitMs: number): Promise<Response | Failure> {
    const began = server.begin()
    const startedMs = now()
    const seconds = () => (now() - startedMs) / 1000
    try {
      const how = { fetch: send, address: server.address(call.path, call.query), headers: server.headers, timeoutMs: waitMs, mostBytes }
      const response = await attempt(call, how).catch((error: unknown) => {
        if (options.endpoints.length > 1 || !wasCut(error)) throw error
        return attempt(call, { ...how, timeoutMs: Math.max(1, waitMs - (now() - startedMs)) })
      })
      server.succeeded(began)
      metrics?.upstream(name, server.number, 'ok', seconds())
      return response
    } catch (error) {
      if (!(error instanceof Failure)) {
        server.left(began)
        throw error
      }
      // Too slow for what was left of the call's time is not too slow.
      if (error.reason === 'timeout' && waitMs < Math.min(timeoutMs, deadlineMs)) server.left(began)
      else server.failed(error.reason, (error.retryAfter ?? 0) * 1000)
      metrics?.upstream(name, server.number, error.reason, seconds())
      log.warn(
        { upstream: name, endpoint: server.number, reason: error.reason, ms: Math.round(seconds() * 1000) },
        'upstream endpoint failed',
      )
      return error
    }
  }

  function close(): void {
    closed = true
    for (const end of live) end.abort(new DOMException(`${name} is closed`, 'AbortError'))
  }

  return { fetch: rpcFetch as typeof fetch, endpoints: pool.states, close }
}

const CUT = new Set(['network ECONNRESET', 'network EPIPE', 'network UND_ERR_SOCKET'])

/**
 * A server may close an idle connection in the moment in which a call is written to it. With other endpoints the call goes on to
 * them; a single one is asked once more.
 */
function wasCut(error: unknown): boolean {
  return error instanceof Failure && CUT.has(error.reason)
}

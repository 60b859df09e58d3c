import { isEndpointError, type Upstream } from '@svc/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../metrics.ts'
import { present } from '../present.ts'
import { attempt, type Call, callOf } from './attempt.ts'
import { createPool, type Endpoint, type EndpointState, type Server } from './endpoints.ts'
import { Failure, judgedFailure, refusal } from './failure.ts'
import { createGate } from './gate.ts'

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
  /** Most requests under way to one endpoint; those beyond wait, and are sockets saved. @default 128 */
  readonly mostInFlight?: number
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Milliseconds of a clock that never runs backwards. @default performance.now */
  readonly now?: () => number
  /** @default the global one, which keeps connections alive */
  readonly fetch?: typeof fetch
  readonly metrics?: Pick<Metrics, 'upstream'>
}

/** A group of endpoints of one chain behind one `fetch`. */
export interface Rpc extends Upstream {
  /**
   * Like the global one; scheme and host of the address are ignored, its path and query are appended to the endpoint's.
   *
   * @throws {ServiceError} 502 `UPSTREAM_UNAVAILABLE`, 503 `UPSTREAM_BUSY`, 504 `UPSTREAM_TIMEOUT`
   * @throws the reason of the caller's own signal
   */
  readonly fetch: typeof fetch
  endpoints(): readonly EndpointState[]
  /** Each endpoint by itself, in the order of the config; what it fails at goes to no other. */
  singles(): readonly Upstream[]
  /** Requests under way, and those that wait for their turn. */
  inFlight(): { readonly running: number; readonly waiting: number }
  /** Ends the calls under way, which fail with an AbortError, and refuses further ones. */
  close(): void
}

/** Requests that may wait for each one that may be under way: with a deadline of seconds, more would wait in vain. */
const WAITING_PER_PLACE = 32

/**
 * Failover: a call goes to the first fit endpoint, and on to the next after a network error, a timeout, an overload, a refused
 * credential, or an answer that is none; within `exchange` also after what the kit judges to be no verdict of the chain.
 * A call may so reach a chain twice; a transaction that was signed once has effect once.
 */
export function createRpc(options: RpcOptions): Rpc {
  const { name, timeoutMs = 5000, deadlineMs = 12_000, mostBytes = 64 * 1024 * 1024, log, now = () => performance.now(), metrics } = options
  const transmit = options.fetch ?? globalThis.fetch
  const { mostInFlight = 128 } = options
  const pool = createPool(name, options.endpoints, now)
  const gates = options.endpoints.map(() => createGate(mostInFlight, mostInFlight * WAITING_PER_PLACE))
  const live = new Set<AbortController>()
  let closed = false

  /** @param servers in the order in which they are tried */
  function upstreamOf(servers: () => readonly Server[]): Upstream {
    return {
      async fetch(input, init) {
        const call = await callOf(input, init)
        return failover(servers(), (send) => send(call, false), call.signal)
      },
      exchange: (work) =>
        failover(servers(), (send, endpoint) => work(async (input, init) => send(await callOf(input, init), true), endpoint)),
    }
  }

  async function failover<T>(servers: readonly Server[], work: Work<T>, signal?: AbortSignal): Promise<T> {
    if (closed) throw new DOMException(`${name} is closed`, 'AbortError')
    const deadline = now() + deadlineMs
    const failures: Failure[] = []
    for (const server of servers) {
      const left = deadline - now()
      if (left <= 0) throw refusal(name, failures, true)
      const result = await tried(work, server, deadline, signal)
      if (!(result instanceof Failure)) return result.value
      failures.push(result)
    }
    throw refusal(name, failures, now() >= deadline)
  }

  /** One endpoint, noted in its state, in the log and in the metrics. */
  async function tried<T>(work: Work<T>, server: Server, deadline: number, signal?: AbortSignal): Promise<Failure | { readonly value: T }> {
    const began = server.begin()
    const startedMs = now()
    const seconds = () => (now() - startedMs) / 1000
    // Follows the caller, the end of the group and the end of this try; `AbortSignal.any` would be kept for as long as a caller's signal lives.
    const end = new AbortController()
    const giveUp = () => end.abort(signal?.reason)
    if (signal?.aborted) giveUp()
    signal?.addEventListener('abort', giveUp, { once: true })
    live.add(end)
    let cutShort = false
    const send: Send = async (call, lenient) => {
      const given = call.signal
      const stop = () => end.abort(given?.reason)
      given?.addEventListener('abort', stop, { once: true })
      try {
        const leave = await present(gates[server.number - 1], `a gate of endpoint ${server.number}`).enter(
          Math.max(1, deadline - now()),
          end.signal,
        )
        try {
          const waitMs = Math.max(1, Math.min(timeoutMs, deadline - now()))
          cutShort ||= waitMs < Math.min(timeoutMs, deadlineMs)
          return await sendOnce({ ...call, signal: end.signal }, server, waitMs, lenient)
        } finally {
          leave()
        }
      } finally {
        given?.removeEventListener('abort', stop)
      }
    }
    try {
      const value = await work(send, server.number)
      server.succeeded(began, now() - startedMs)
      metrics?.upstream(name, server.number, 'ok', seconds())
      return { value }
    } catch (error) {
      const failure = isEndpointError(error) ? judgedFailure(error) : error
      if (!(failure instanceof Failure)) {
        // A refusal by the chain is an answer; a caller who gave up tells nothing.
        if (end.signal.aborted) server.left(began)
        else server.succeeded(began, now() - startedMs)
        throw failure
      }
      // Too slow for what was left of the call's time is not too slow, and who answers other calls is not left alone.
      if (failure.partial || (failure.reason === 'timeout' && cutShort)) server.left(began)
      else server.failed(failure.reason, (failure.retryAfter ?? 0) * 1000)
      metrics?.upstream(name, server.number, failure.reason, seconds())
      log.warn(
        { upstream: name, endpoint: server.number, reason: failure.reason, ms: Math.round(seconds() * 1000) },
        'upstream endpoint failed',
      )
      return failure
    } finally {
      live.delete(end)
      signal?.removeEventListener('abort', giveUp)
      // What is still under way of a try that has ended is of no use to anybody.
      end.abort(ENDED)
    }
  }

  async function sendOnce(call: Call, server: Server, waitMs: number, lenient: boolean): Promise<Response> {
    const startedMs = now()
    const how = { fetch: transmit, address: server.address(call.path, call.query), headers: server.headers, mostBytes, lenient }
    return attempt(call, { ...how, timeoutMs: waitMs }).catch((error: unknown) => {
      if (options.endpoints.length > 1 || !wasCut(error)) throw error
      return attempt(call, { ...how, timeoutMs: Math.max(1, waitMs - (now() - startedMs)) })
    })
  }

  function close(): void {
    closed = true
    for (const end of live) end.abort(new DOMException(`${name} is closed`, 'AbortError'))
  }

  const inFlight = () => ({
    running: gates.reduce((sum, { running }) => sum + running, 0),
    waiting: gates.reduce((sum, { waiting }) => sum + waiting, 0),
  })

  const singles = () => {
    const numbers = options.endpoints.map((_, index) => index + 1)
    return numbers.map((number) => upstreamOf(() => pool.order().filter((server) => server.number === number)))
  }
  return { ...upstreamOf(() => pool.order()), endpoints: pool.states, singles, inFlight, close }
}

/** Sends a call to one endpoint. `lenient`: a 4xx is handed over, whatever its body. */
type Send = (call: Call, lenient: boolean) => Promise<Response>
type Work<T> = (send: Send, endpoint: number) => Promise<T>

/** Made once: it ends every call, and tells of none. */
const ENDED = new DOMException('the exchange has ended', 'AbortError')

const CUT = new Set(['network ECONNRESET', 'network EPIPE', 'network UND_ERR_SOCKET'])

/**
 * A server may close an idle connection in the moment in which a call is written to it. With other endpoints the call goes on to
 * them; a single one is asked once more.
 */
function wasCut(error: unknown): boolean {
  return error instanceof Failure && CUT.has(error.reason)
}

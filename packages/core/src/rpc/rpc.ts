import type { Sender } from '@svc/contract'
import type { Repeatable, Upstream } from '@svc/contract/host'
import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../base/metrics.ts'
import type { Tracing } from '../base/tracing.ts'
import { createAgreement } from './agreement.ts'
import { byFetch, type Call, callOf, responseOf } from './attempt.ts'
import { createPool, type Endpoint, type EndpointState, type Server } from './endpoints.ts'
import { Failure, refusal } from './failure.ts'
import { createGate } from './gate.ts'
import { createHedge } from './hedge.ts'
import { createListeners, type Wait } from './listen.ts'
import { type Attempt, createTries, type Send } from './try-one.ts'
import { createWire } from './wire.ts'

export interface RpcOptions {
  /** At least one, best first. */
  readonly endpoints: readonly Endpoint[]
  /** Name of the group, for messages, log and metrics: `evm-three 143 rpc`. */
  readonly name: string
  /** Longest wait for one endpoint, its whole body included, in milliseconds. @default 5000 */
  readonly timeoutMs?: number
  /** Longest wait for a call, all endpoints together, in milliseconds. @default 12_000 */
  readonly deadlineMs?: number
  /** Most bytes of an answer. @default 64 MiB */
  readonly mostBytes?: number
  /** Most requests under way to one endpoint; further ones wait, which saves sockets. @default 128 */
  readonly mostInFlight?: number
  /** True if a reading may also be asked of a second endpoint when the first takes too long. @default true */
  readonly hedge?: boolean
  /** Number of endpoints that have to agree on a reading before it is believed. @default 1 */
  readonly agreement?: 1 | 2
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  /** Clock that never runs backwards, in milliseconds. @default performance.now */
  readonly now?: () => number
  /** Clock by which the ages of heads are computed, in milliseconds since 1970. @default Date.now */
  readonly wall?: () => number
  /** Wait between the questions to an endpoint that is listened to, and between attempts to listen. @default by the machine's clock */
  readonly wait?: Wait
  /** Stand-in for the network; nothing is listened to with one. @default Node's own client, which keeps connections alive */
  readonly fetch?: typeof fetch
  readonly metrics?: Pick<Metrics, 'upstream' | 'count'>
  readonly tracing?: Tracing | undefined
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
  /** Returns each endpoint by itself, in the order of the config. A call that fails at one is not sent to another. */
  singles(): readonly Upstream[]
  /** Returns the numbers of requests under way (`running`), and of those that wait for their turn. */
  inFlight(): { readonly running: number; readonly waiting: number }
  /** Ends the calls under way, which fail with an AbortError, and refuses further ones. */
  close(): void
}

/** Number of requests that may wait for each one that may be under way: with a deadline of seconds, more would wait in vain. */
const WAITING_PER_PLACE = 32

/**
 * Makes a client with failover: a call goes to the first fit endpoint, and on to the next after a network error, a timeout, an overload, a refused credential, or an
 * invalid answer; within `exchange` also after an answer that the kit does not accept as the chain's. A call may thus reach a chain twice; a transaction that was signed
 * once takes effect once.
 */
export function createRpc(options: RpcOptions): Rpc {
  const { name, timeoutMs = 5000, deadlineMs = 12_000, mostBytes = 64 * 1024 * 1024, log, now = () => performance.now() } = options
  const { metrics, tracing } = options
  const wire = createWire()
  const transmit = options.fetch ? byFetch(options.fetch) : wire.transmit
  const { mostInFlight = 128, hedge: isHedged = true, agreement = 1 } = options
  const pool = createPool(name, options.endpoints, now, options.wall)
  const gates = options.endpoints.map(() => createGate(mostInFlight, mostInFlight * WAITING_PER_PLACE))
  const tries = createTries({
    ...{ name, hasSpare: options.endpoints.length > agreement, transmit, timeoutMs, deadlineMs, mostBytes, gates, now, log, tracing },
    ...(metrics ? { metrics } : {}),
  })
  const refused = (failures: readonly Failure[], deadline: number) => refusal(name, failures, now() >= deadline)
  const means = { name, pool, tries, gates, timeoutMs, mostInFlight, isHedged, now, refused, log, ...(metrics ? { metrics } : {}) }
  const hedge = createHedge(means)
  const agreed = createAgreement(means, hedge)
  const listeners = createListeners({ name, order: pool.order, timeoutMs, now, wait: options.wait, log })
  let closed = false

  /** Takes the head that an endpoint told, and says in the log who is asked last from now on. */
  const sawOf = (endpoint: number) => (head: Date) => {
    const lags =
      pool
        .order()
        .find((server) => server.number === endpoint)
        ?.saw(head) ?? []
    for (const { number, behindMs } of lags)
      log.warn(
        { upstream: name, endpoint: number, ...(behindMs === null ? {} : { behind_s: Math.round(behindMs / 1000) }) },
        behindMs === null ? 'upstream endpoint has caught up with the others' : 'upstream endpoint is behind another one: it is asked last',
      )
  }

  /** @param servers in the order in which they are tried */
  function upstreamOf(servers: () => readonly Server[]): Upstream {
    return {
      async fetch(input, init) {
        const call = await callOf(input, init)
        return responseOf(await failover(servers(), (send) => send(call, false), call.signal))
      },
      exchange: (work) => failover(servers(), (send, endpoint) => work(senderOf(send, sawOf(endpoint)), endpoint)),
    }
  }

  const direct = upstreamOf(() => pool.order())
  /** Readings by the word of so many; whatever else there is goes to one endpoint at a time, and so does all of a group that has no other. */
  const believing = (voices: 1 | 2): Upstream => ({
    ...direct,
    exchange: (work, reading) =>
      reading === undefined || options.endpoints.length === 1 ? direct.exchange(work) : readBy(work, reading, voices),
  })
  const upstream: Upstream = { ...believing(agreement), agreement, alone: believing(1) }

  async function readBy<T>(work: Work<T>, reading: Repeatable<T>, voices: 1 | 2): Promise<T> {
    requireOpen()
    const deadline = now() + deadlineMs
    const kitWork = (send: Send, endpoint: number, again?: unknown) => work(senderOf(send, sawOf(endpoint)), endpoint, again)
    if (voices > 1) return agreed({ work: kitWork, reading, deadline })
    return hedge.hedged({ work: (send, endpoint) => kitWork(send, endpoint), reading, deadline })
  }

  async function failover<T>(servers: readonly Server[], work: Attempt<T>['work'], signal?: AbortSignal): Promise<T> {
    requireOpen()
    const deadline = now() + deadlineMs
    const failures: Failure[] = []
    for (const server of servers) {
      if (deadline - now() <= 0) throw refusal(name, failures, true)
      const result = await tries.tryOne({ work, server, deadline, resends: failures.length, signal })
      if (!(result instanceof Failure)) return result.value
      failures.push(result)
    }
    throw refused(failures, deadline)
  }

  function requireOpen(): void {
    if (closed) throw new DOMException(`${name} is closed`, 'AbortError')
  }

  function close(): void {
    closed = true
    tries.end(new DOMException(`${name} is closed`, 'AbortError'))
    listeners.close()
    wire.close()
  }

  const inFlight = () => ({
    running: gates.reduce((sum, { running }) => sum + running, 0),
    waiting: gates.reduce((sum, { waiting }) => sum + waiting, 0),
  })

  const singles = () => {
    const numbers = options.endpoints.map((_, index) => index + 1)
    return numbers.map((number) => upstreamOf(() => pool.order().filter((server) => server.number === number)))
  }
  return { ...upstream, ...(options.fetch ? {} : { listen: listeners.listen }), endpoints: pool.states, singles, inFlight, close }
}

type Work<T> = (send: Sender, endpoint: number, again?: unknown) => Promise<T>

/** Makes what a kit sends with, in an exchange. */
function senderOf(send: Send, saw: (head: Date) => void): Sender {
  const fetched: typeof fetch = async (input, init) => responseOf(await send(await callOf(input, init), true))
  const postJson: Sender['postJson'] = async (body, parse) => {
    const { status, bytes } = await send({ ...JSON_CALL, body }, true)
    try {
      return { status, value: await parse(bytes.toString()) }
    } catch {
      if (status >= 400) return { status, value: undefined }
      throw new Failure('not json')
    }
  }
  return Object.assign(fetched, { postJson, saw })
}

/** A call that posts JSON, to which the body is added. Its answer is not checked to be JSON here. */
const JSON_CALL: Omit<Call, 'body'> = {
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-type': 'application/json' },
  signal: undefined,
  json: false,
  grpc: false,
}

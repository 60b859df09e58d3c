import { isEndpointError } from '@svc/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../base/metrics.ts'
import { present } from '../base/present.ts'
import type { Tracing } from '../base/tracing.ts'
import { attempt, type Call } from './attempt.ts'
import type { Server } from './endpoints.ts'
import { Failure, judgedFailure } from './failure.ts'
import type { Gate } from './gate.ts'
import type { Try } from './race.ts'
import { traceTransmit } from './spans.ts'
import type { Transmit, WireAnswer } from './wire.ts'

/** Sends a call to one endpoint. `lenient`: an answer 4xx is returned, whatever its body. */
export type Send = (call: Call, lenient: boolean) => Promise<WireAnswer>

/** Log and metrics in which a group of endpoints reports its calls. */
export interface Reports {
  /** Name of the group. */
  readonly name: string
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly metrics?: Pick<Metrics, 'upstream' | 'count'>
  readonly tracing?: Tracing | undefined
}

/** A piece of work at one endpoint. */
export interface Attempt<T> {
  readonly work: (send: Send, endpoint: number) => Promise<T>
  readonly server: Server
  /** Deadline by the group's clock. */
  readonly deadline: number
  /** Kind of a reading, under which the endpoint's pace is kept; absent for other work. */
  readonly kind?: string | undefined
  /** Number of endpoints that were asked before this one for the same work. @default 0 */
  readonly resends?: number
  readonly signal?: AbortSignal | undefined
}

interface Means extends Reports {
  /** True if there are more endpoints than have to answer a reading, so that one whose connection was cut is not asked again. */
  readonly hasSpare: boolean
  readonly transmit: Transmit
  readonly timeoutMs: number
  readonly deadlineMs: number
  readonly mostBytes: number
  readonly gates: readonly Gate[]
  now(): number
}

/** An endpoint, and the number of endpoints that were asked before it for the same work. */
type Turn = Pick<Attempt<unknown>, 'server'> & { readonly resends: number }

/** Attempts of a group, each at one endpoint. */
export interface Tries {
  /** Does the work once at one endpoint, and notes the outcome in its state, the log and the metrics. @throws a verdict, or the reason of a signal */
  tryOne<T>(attempt: Attempt<T>): Promise<Try<T>>
  /** Ends all attempts under way. */
  end(reason: unknown): void
}

/** Makes the function that tries the endpoints of one group. */
export function createTries(means: Means): Tries {
  const { name, timeoutMs, deadlineMs, gates, now, log, metrics } = means
  const live = new Set<AbortController>()

  async function tryOne<T>({ work, server, deadline, kind, resends = 0, signal }: Attempt<T>): Promise<Try<T>> {
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
      const outerSignal = call.signal
      const stop = () => end.abort(outerSignal?.reason)
      outerSignal?.addEventListener('abort', stop, { once: true })
      try {
        const gate = present(gates[server.number - 1], `a gate of endpoint ${server.number}`)
        const leave = await gate.enter(Math.max(1, deadline - now()), end.signal)
        try {
          const waitMs = Math.max(1, Math.min(timeoutMs, deadline - now()))
          cutShort ||= waitMs < Math.min(timeoutMs, deadlineMs)
          return await sendOnce({ ...call, signal: end.signal }, { server, resends }, waitMs, lenient)
        } finally {
          leave()
        }
      } finally {
        outerSignal?.removeEventListener('abort', stop)
      }
    }
    const answered = () => {
      server.succeeded(began, now() - startedMs)
      if (kind !== undefined) server.pace(kind).note(now() - startedMs)
    }
    try {
      const value = await work(send, server.number)
      answered()
      metrics?.upstream(name, server.number, 'ok', seconds())
      return { value }
    } catch (error) {
      const failure = isEndpointError(error) ? judgedFailure(error) : error
      if (!(failure instanceof Failure)) {
        // A refusal by the chain is an answer; a caller who gave up tells nothing.
        if (end.signal.aborted) server.left(began)
        else answered()
        throw failure
      }
      // It has answered, and another one may have what it has not.
      if (failure.reason === 'not held') {
        answered()
        metrics?.upstream(name, server.number, 'ok', seconds())
        return failure
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

  async function sendOnce(call: Call, { server, resends }: Turn, waitMs: number, lenient: boolean): Promise<WireAnswer> {
    const startedMs = now()
    const { transmit, mostBytes, tracing } = means
    const how = { address: server.address(call.path, call.query), headers: server.headers, mostBytes, lenient }
    const by = (more: number) =>
      tracing ? traceTransmit(transmit, tracing, { upstream: name, endpoint: server.number, resends: resends + more }) : transmit
    return attempt(call, { ...how, transmit: by(0), timeoutMs: waitMs }).catch((error: unknown) => {
      if (means.hasSpare || !wasCut(error)) throw error
      return attempt(call, { ...how, transmit: by(1), timeoutMs: Math.max(1, waitMs - (now() - startedMs)) })
    })
  }

  return {
    tryOne,
    end(reason) {
      for (const end of live) end.abort(reason)
    },
  }
}

/** Reason of the signal that ends the connection of a call whose exchange is over. It is made only once, since it says nothing of the single call. */
const ENDED = new DOMException('the exchange has ended', 'AbortError')

const CUT = new Set(['network ECONNRESET', 'network EPIPE', 'network UND_ERR_SOCKET'])

/**
 * Tells whether a server has closed an idle connection in the moment in which a call was written to it. With other endpoints the call goes on to them; a single one, or
 * one of two that both have to answer, is asked once more.
 */
function wasCut(error: unknown): boolean {
  return error instanceof Failure && CUT.has(error.reason)
}

import { badGateway } from './codes.ts'
import { isServiceError, type ServiceError } from './errors.ts'
import { membersOf } from './members.ts'

/** Why an endpoint's answer is not the chain's. A few plain words, free of addresses: they are logged and counted. */
export type EndpointReason = 'busy' | 'other chain' | 'behind' | 'no answer' | 'malformed'

/**
 * An endpoint gave no verdict of the chain: it is busy, on another chain, behind, broken, or answers what cannot be. The next endpoint may
 * do better. Thrown inside `Upstream.exchange`; a caller never meets it.
 */
export class EndpointError extends Error {
  readonly reason: EndpointReason
  /** What the caller is told when no endpoint does better: 502 or 503. */
  readonly refusal: ServiceError
  /** Whether other calls to the same endpoint, at the same moment, were answered: then it is not left alone for a while. */
  readonly partial: boolean

  constructor(reason: EndpointReason, refusal: ServiceError, options: { partial?: boolean } = {}) {
    super(refusal.message, { cause: refusal })
    this.name = 'EndpointError'
    this.reason = reason
    this.refusal = refusal
    this.partial = options.partial ?? false
  }
}

/** Recognises one by its properties, because two packages may carry two copies of this one. */
export function isEndpointError(error: unknown): error is EndpointError {
  return error instanceof Error && error.name === 'EndpointError' && isServiceError(membersOf(error).refusal)
}

/** An answer of a form, or with a value, that no chain gives. @param cause what came, for the log */
export function malformedAnswer(cause?: unknown): EndpointError {
  return new EndpointError('malformed', badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.", cause))
}

/** A group of endpoints that serve one chain, with the service's failover, timeouts and credentials. */
export interface Upstream {
  /**
   * Like the global one; the base address of a request is ignored, its path is kept. A call goes on to the next endpoint after a failure of
   * the network or of HTTP; what an answer says inside is not looked at.
   */
  readonly fetch: typeof fetch
  /**
   * A piece of work with one endpoint: a few calls whose answers belong together, and the judgement whether they are the chain's. When `work`
   * fails by an EndpointError, the network, or HTTP, the same work begins anew with the next endpoint. Any other outcome of it is final.
   *
   * @param work `send` reaches that one endpoint only; `endpoint` is its number, the same each time, for what is remembered of it. It may
   *   run several times, so it keeps what it changes until the end
   * @throws what `work` throws; the refusal of its EndpointError, or 502, 503, 504, when no endpoint is left
   */
  exchange<T>(work: (send: typeof fetch, endpoint: number) => Promise<T>): Promise<T>
}

/** A single endpoint behind a plain `fetch`, without failover: for `svc check` and tests. */
export function singleEndpoint(send: typeof fetch): Upstream {
  return {
    fetch: send,
    async exchange(work) {
      try {
        return await work(send, 1)
      } catch (error) {
        throw isEndpointError(error) ? error.refusal : error
      }
    },
  }
}

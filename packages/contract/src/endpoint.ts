import { badGateway } from './codes.ts'
import { isServiceError, type ServiceError } from './errors.ts'
import { membersOf } from './members.ts'

/**
 * Why an endpoint's answer is not the chain's. A few plain words, free of addresses: they are logged and counted. `not held`: the endpoint is well, and does not have what
 * another one may have; it is neither left alone for that nor reported.
 */
export type EndpointReason = 'busy' | 'other chain' | 'behind' | 'no answer' | 'malformed' | 'not held'

/**
 * An endpoint gave no verdict of the chain: it is busy, on another chain, behind, broken, answers what cannot be, or does not hold what was asked for. The next endpoint may
 * do better. Thrown inside `Upstream.exchange`; a caller never meets it.
 */
export class EndpointError extends Error {
  readonly reason: EndpointReason
  /** Refusal that the caller gets when no endpoint does better: 502 or 503; a 400 for what none of them holds. */
  readonly refusal: ServiceError
  /** True when other calls to the same endpoint, at the same moment, were answered: the endpoint is then not left alone for a while. */
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

/** Returns a member that the node must have sent; null is none. @throws EndpointError */
export function requireSent<T>(member: T | null | undefined): T {
  if (member === undefined || member === null) throw malformedAnswer()
  return member
}

/** What one endpoint is asked with: like the global `fetch`, without the address. */
export type Sender = typeof fetch & {
  /**
   * Sends JSON to the endpoint's own path and reads the answer without a `Response` between. Absent where there is no more than a `fetch`.
   *
   * @param parse what it throws makes the answer none, and the next endpoint is asked
   * @returns the value; undefined for a refusal by HTTP that is no JSON
   */
  readonly postJson?: (body: string, parse: (text: string) => unknown) => Promise<{ readonly status: number; readonly value: unknown }>
  /** Tells the group the time of the head that this endpoint has, as every wave learns it: whoever is behind the others is asked last. Absent where nobody compares. */
  readonly saw?: (head: Date) => void
}

/** What becomes of two endpoints' results of one piece of work: the one that is taken, or what they do not agree about. */
export type Comparison<T> =
  | { readonly value: T }
  | {
      /** Member that is not the same, in a word or two without an address: `nonce`. It is counted, and the caller is told. */
      readonly member: string
      /** Handed to the work when it is done once more, at both of them: at which height, say. */
      readonly again?: unknown
    }

/** Says that a piece of work changes nothing, so that two endpoints may be asked for it at the same time. */
export interface Repeatable<T> {
  /** Word for work that takes about as long as other work of that word: its times are kept together. @example eth_call 4 */
  readonly kind: string
  /** Compares what two endpoints made of the work, for a network that is read by the word of two. */
  compare(one: T, other: T): Comparison<T>
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
   *   run several times, with `reading` at two endpoints at once, so it keeps what it changes until the end. `again` is what `compare` wanted
   *   to have handed over, when the work is done once more after two endpoints did not agree
   * @param reading absent where the work changes something, or may: then one endpoint is asked at a time
   * @throws what `work` throws; the refusal of its EndpointError, or 502, 503, 504, when no endpoint is left; 502 `UPSTREAM_DISAGREES`
   */
  exchange<T>(work: (send: Sender, endpoint: number, again?: unknown) => Promise<T>, reading?: Repeatable<T>): Promise<T>
  /** Number of endpoints by whose word a reading is believed. @default 1 */
  readonly agreement?: number
  /**
   * The same endpoints, each believed by itself: for what says in its own way how many of them must say something, and for what changes
   * the chain. @default this one
   */
  readonly alone?: Upstream
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

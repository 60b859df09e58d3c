import { badGateway } from './codes.ts'
import { isServiceError, type ServiceError } from './errors.ts'
import { membersOf } from './members.ts'

/**
 * Reason why an endpoint's answer does not count as the chain's, in a few plain words without addresses, since they are logged and counted. `not held`: the endpoint works,
 * but lacks data that another one may have; it is neither paused nor reported for that.
 */
export type EndpointReason = 'busy' | 'other chain' | 'behind' | 'no answer' | 'malformed' | 'not held'

/**
 * Failure of one endpoint to give a verdict of the chain: it is busy, on another chain, behind, broken, answers something impossible, or does not hold the data. Thrown
 * inside `Upstream.exchange`, which then tries the next endpoint; a caller never meets it.
 */
export class EndpointError extends Error {
  readonly reason: EndpointReason
  /** Refusal that the caller gets when no other endpoint does better: 502 or 503; 400 for data that none of them holds. */
  readonly refusal: ServiceError
  /** True when the endpoint answered other calls at the same moment, so that it is not paused. */
  readonly partial: boolean

  constructor(reason: EndpointReason, refusal: ServiceError, options: { partial?: boolean } = {}) {
    super(refusal.message, { cause: refusal })
    this.name = 'EndpointError'
    this.reason = reason
    this.refusal = refusal
    this.partial = options.partial ?? false
  }
}

/** Tells whether an error is an EndpointError, by its properties: two packages may carry two copies of the class. */
export function isEndpointError(error: unknown): error is EndpointError {
  return error instanceof Error && error.name === 'EndpointError' && isServiceError(membersOf(error).refusal)
}

/** Makes the error for an answer of a form, or with a value, that no chain gives. @param cause the answer, for the log */
export function malformedAnswer(cause?: unknown): EndpointError {
  return new EndpointError('malformed', badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.", cause))
}

/** Returns a member that the node must have sent. @throws EndpointError */
export function requireSent<T>(member: T | null | undefined): T {
  if (member === undefined || member === null) throw malformedAnswer()
  return member
}

/** Function that sends a request to one endpoint: like the global `fetch`, without the address. */
export type Sender = typeof fetch & {
  /**
   * Sends JSON to the endpoint's own path and reads the answer without an intermediate `Response`. Absent where only a plain `fetch` is available.
   *
   * @param parse what it throws makes the answer none, and the next endpoint is asked
   * @returns the value; undefined for a refusal by HTTP that is no JSON
   */
  readonly postJson?: (body: string, parse: (text: string) => unknown) => Promise<{ readonly status: number; readonly value: unknown }>
  /**
   * Reports the time of this endpoint's head, which every wave learns, to the group: an endpoint that is behind the others is asked last. Absent where endpoints are not
   * compared.
   */
  readonly saw?: (head: Date) => void
}

/** Comparison of two endpoints' results of one piece of work: the result that is taken, or the member on which they differ. */
export type Comparison<T> =
  | { readonly value: T }
  | {
      /** Name of the member that differs, in a word or two without an address: `nonce`. It is counted, and the caller is told. */
      readonly member: string
      /** Value handed to the work when it is done again at both endpoints: at which height, say. */
      readonly again?: unknown
    }

/** Mark of a piece of work that changes nothing, so that two endpoints may be asked for it at the same time. */
export interface Repeatable<T> {
  /** Word for work that takes about as long as other work of the same word: their times are kept together. @example eth_call 4 */
  readonly kind: string
  /** Compares two endpoints' results of the work, for a network whose readings need the word of two. */
  compare(one: T, other: T): Comparison<T>
}

/** Conversation with one endpoint over one WebSocket, from its opening to its end. An EndpointError of any of its functions ends it, and the next endpoint is listened to. */
export interface Conversation {
  /** Sends what subscribes. Resolves when whatever happens from then on is pushed. @throws EndpointError when the endpoint refuses, or is not fit */
  begin(): Promise<void>
  /** Takes a text that the endpoint has sent. @throws EndpointError for what no node sends */
  read(text: string): void
  /** Asks for something that an endpoint which is well answers; called at the interval of the host. @throws EndpointError when it is not */
  probe(): Promise<void>
}

/** Subscription over WebSockets: how a conversation is begun, and who hears of its state. */
export interface Feed {
  /** Path of the WebSocket below the endpoint's own, such as `/websocket`; `/` for the endpoint's own. */
  readonly path: string
  /** Number that is added to a port which the endpoint's address names. @default 0 */
  readonly portOffset?: number
  /** Most bytes of one text of an endpoint; a longer one ends the conversation. */
  readonly mostBytes: number
  /** Makes the conversation over a connection that is open. @param send sends a text */
  open(send: (text: string) => void): Conversation
  /** Called when a conversation has begun. */
  live(): void
  /** Called when one has ended, or could not begin. @param reason a few plain words without an address */
  deaf(reason: string): void
}

/** A group of endpoints that serve one chain, with the service's failover, timeouts and credentials. */
export interface Upstream {
  /**
   * Sends a request like the global `fetch`; the base address is ignored, and the path is kept. After a failure of the network or of HTTP, the next endpoint is tried; the
   * content of an answer is not looked at.
   */
  readonly fetch: typeof fetch
  /**
   * Does a piece of work with one endpoint: a few calls whose answers belong together, and the judgement whether they are the chain's. When `work` fails by an
   * EndpointError, the network, or HTTP, the same work begins anew with the next endpoint. Any other outcome of it is final.
   *
   * @param work `send` reaches that one endpoint only; `endpoint` is its number, the same each time, for data remembered about it. The work may
   *   run several times, with `reading` at two endpoints at once, so it keeps what it changes until the end. `again` is the value that `compare` asked
   *   to have handed over, when the work is done once more after two endpoints did not agree
   * @param reading absent where the work changes something, or may: then one endpoint is asked at a time
   * @throws what `work` throws; the refusal of its EndpointError, or 502, 503, 504, when no endpoint is left; 502 `UPSTREAM_DISAGREES`
   */
  exchange<T>(work: (send: Sender, endpoint: number, again?: unknown) => Promise<T>, reading?: Repeatable<T>): Promise<T>
  /**
   * Listens over a WebSocket at one endpoint, and goes to the next when that one ends; pauses double up to an hour where none can be listened to. The credentials are those
   * of the endpoint's other requests.
   *
   * @returns the function that ends it at once; until then it keeps the process from ending
   * @default the host listens nowhere, as a check that asks and ends
   */
  readonly listen?: (feed: Feed) => () => void
  /** Number of endpoints that must agree on a reading. @default 1 */
  readonly agreement?: number
  /** Same endpoints, each believed by itself: for work that decides in its own way how many of them must agree, and for work that changes the chain. @default this one */
  readonly alone?: Upstream
}

/** Makes an upstream of a single endpoint behind a plain `fetch`, without failover: for `svc check` and tests. */
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

import { type EndpointError, membersOf, type ServiceError } from '@svc/contract'
import type { EndpointReason } from '@svc/contract/host'
import { badGateway, gatewayTimeout, unavailable } from '../base/codes.ts'

/** Reason why an attempt at an endpoint did not bring the chain's answer. A short word without addresses, since it is logged and counted. */
type Reason = EndpointReason | 'timeout' | 'slow' | `http ${number}` | 'not json' | 'not grpc' | 'too large' | `network ${string}`

/** The end of one attempt that is worth another at the next endpoint. */
export class Failure extends Error {
  readonly reason: Reason
  /** Seconds that a busy endpoint asked for, if it did. */
  readonly retryAfter: number | undefined
  /** Refusal that the kit would give the caller, where it was the kit that judged. */
  readonly refusal: ServiceError | undefined
  /** True if the endpoint answered other calls at the same moment. */
  readonly partial: boolean

  constructor(reason: Reason, retryAfter?: number, judged?: Partial<Pick<EndpointError, 'refusal' | 'partial'>>) {
    super(reason)
    this.reason = reason
    this.retryAfter = retryAfter
    this.refusal = judged?.refusal
    this.partial = judged?.partial ?? false
  }
}

/** Makes the failure for a kit's judgement that an endpoint's answer is not the chain's. */
export function judgedFailure(error: EndpointError): Failure {
  return new Failure(error.reason, error.reason === 'busy' ? error.refusal.retryAfter : undefined, error)
}

/**
 * Tells whether a status is a failure of the endpoint rather than an answer of the chain: the endpoint is misconfigured, out of quota, overloaded or broken. A GET may ask
 * for something that does not exist, so that its 404 is an answer; a POST goes to one fixed path that must exist.
 */
export function failureOf(method: string, status: number, retry: string | null, nowMs: number): Failure | null {
  if (status === 200) return null
  const wait = retryAfter(retry, nowMs)
  if (status === 429 || (status === 503 && wait !== undefined)) return new Failure('busy', wait)
  const failed = status >= 500 || (status >= 300 && status < 400 && status !== 304) || ENDPOINTS_OWN.has(status)
  const nothingThere = method === 'POST' && (status === 404 || status === 405 || status === 410)
  return failed || nothingThere ? new Failure(`http ${status}`) : null
}

/** Statuses 4xx that are the endpoint's own fault, and not the request's: refused credentials, unpaid quota, proxy authentication, a request that the endpoint gave up reading. */
const ENDPOINTS_OWN = new Set([401, 402, 403, 407, 408])

/** Makes the failure for an error below HTTP, named by the code of Node or undici, since their messages contain hosts. */
export function networkFailure(error: unknown): Failure {
  const codes = [error, membersOf(error).cause].map((one) => membersOf(one).code)
  const code = codes.findLast((one) => typeof one === 'string')
  return new Failure(`network ${code ?? 'error'}`)
}

/** Longest wait that is passed on, in seconds. An endpoint that asks for hours is out of quota; another call may succeed earlier. */
const MOST_SECONDS = 300

/**
 * Reads the seconds of a `Retry-After` header.
 *
 * @param header seconds, or an HTTP date
 * @returns whole seconds from 1 to 300, or nothing when the header is absent or unreadable
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3 (read 2026-11-21)
 */
export function retryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - nowMs) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 1), MOST_SECONDS)
}

/**
 * Makes the refusal for a call that no endpoint answered: the kit's judgement of the last endpoint, if there is one; 503 when every endpoint was busy; 504 when one of
 * them, or the whole call, ran out of time; else 502. After a timeout a sent transaction may have arrived, so that a refused connection at the last endpoint must not
 * suggest otherwise. It names the group, never an endpoint.
 */
export function refusal(name: string, failures: readonly Failure[], outOfTime: boolean): ServiceError {
  const last = failures.at(-1)
  if (last?.refusal && !outOfTime) return last.refusal
  const tried = failures.length === 1 ? 'its endpoint' : `each of the ${failures.length} endpoints tried`
  if (failures.length > 0 && failures.every(({ reason }) => reason === 'busy')) {
    const wait = Math.min(...failures.map((failure) => failure.retryAfter ?? 1))
    return unavailable('UPSTREAM_BUSY', `The upstream ${name} is overloaded: ${tried} refuses more calls at the moment.`, wait)
  }
  if (outOfTime || failures.some(({ reason }) => reason === 'timeout'))
    return gatewayTimeout('UPSTREAM_TIMEOUT', `The upstream ${name} did not answer in time; try again.`)
  return badGateway('UPSTREAM_UNAVAILABLE', `The upstream ${name} is unavailable: ${tried} failed; try again.`)
}

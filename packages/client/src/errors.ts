import type { Mismatch } from '@svc/verify'
import { printable } from '@svc/verify/intent'
import type { ErrorCode } from './codes.generated.ts'

/** Whatever the client throws. Its message is a sentence for a person. */
export class SvcError extends Error {
  /** Tells whether an error is of this kind, also where two copies of the package are installed. */
  static is(error: unknown): error is SvcError {
    return error instanceof Error && 'svc' in error && error.svc === true
  }
  readonly svc = true
  override name = 'SvcError'
  /**
   * Hash that this process worked out, by which the chain knows a signed transaction, in an error after the transaction has left. The transaction may
   * have been sent, whoever says what: look it up before anything is sent or signed again. null otherwise.
   */
  readonly txHash: string | null = null

  /** @param message whoever had a part in it: what does not show in it is written as its number */
  constructor(message: string, options?: ErrorOptions) {
    super(printable(message), options)
  }

  /** Names the transaction that may have been sent. @internal */
  static afterSending(error: unknown, txHash: string): SvcError {
    const failure = SvcError.is(error) ? error : new ConnectionError('The broadcast came to no end.', { cause: error })
    failure.message += ` The transaction ${txHash} may have been sent: look it up before anything is sent or signed again.`
    return Object.assign(failure, { txHash })
  }
}

/** Refusal of the service, in its own words. */
export interface Refusal {
  readonly status: number
  readonly code: ErrorCode
  readonly sentence: string
  /** Identifier by which the operator of the service finds the request. */
  readonly requestId: string | null
  /** Seconds after which it may be tried again; null where that makes no sense. */
  readonly retryAfter: number | null
}

/** The service refused the request. What kind of refusal it is, `code` says; the codes do not change. */
export class ServiceError extends SvcError implements Refusal {
  override name = 'ServiceError'
  readonly status: number
  readonly code: ErrorCode
  readonly sentence: string
  readonly requestId: string | null
  readonly retryAfter: number | null

  constructor({ status, code, sentence, requestId, retryAfter }: Refusal) {
    super(`${sentence} (${status} ${code}${requestId === null ? '' : `, request ${requestId}`})`)
    this.status = status
    this.code = code
    this.sentence = printable(sentence)
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** 401: the key is not known, revoked, or of another account. */
export class AuthenticationError extends ServiceError {
  override name = 'AuthenticationError'
}

/** 429: more requests than the key may make; `retryAfter` says when. */
export class RateLimitError extends ServiceError {
  override name = 'RateLimitError'
}

/** 502, 503, 504: the chain, or what the service needs, is not there now. */
export class UnavailableError extends ServiceError {
  override name = 'UnavailableError'
}

/** No answer came: no connection, or none within the time. */
export class ConnectionError extends SvcError {
  override name = 'ConnectionError'
}

/** The answer is not the service's, or not to this request: nothing of it is used. */
export class SignatureError extends SvcError {
  override name = 'SignatureError'
}

/** The transaction is not what was asked for, so that it cannot be signed. */
export class MismatchError extends SvcError {
  override name = 'MismatchError'
  /** For a program: amounts in base units. */
  readonly mismatches: readonly Mismatch[]
  /** The same for a person, as the message has them: amounts of the native token in whole tokens with the symbol. */
  readonly worded: readonly Mismatch[]
  /** Without its differences. */
  readonly what: string
  constructor(what: string, mismatches: readonly Mismatch[], worded: readonly Mismatch[] = mismatches) {
    super(`${what}: ${worded.map(sentenceOf).join('; ')}.`)
    this.what = what
    this.mismatches = mismatches
    this.worded = worded
  }
}

/** Longest value in a sentence, in characters: an instruction with its accounts fits. The whole one is in `mismatches`. */
const LONGEST = 400

/** Characters before the first difference, so that a reader finds the place. */
const BEFORE = 20

/** Writes a difference as a sentence; two long texts that begin alike are shown from where they part. */
function sentenceOf({ path, expected, found: actual }: Mismatch): string {
  let same = 0
  while (same < expected.length && expected[same] === actual[same]) same++
  const from = Math.max(expected.length, actual.length) > LONGEST && same > BEFORE ? same - BEFORE : 0
  return `${path} should be ${clipped(expected, from)} and is ${clipped(actual, from)}`
}

function clipped(text: string, from: number): string {
  if (text.length <= LONGEST && from === 0) return text
  const end = from + LONGEST
  return `${from > 0 ? '…' : ''}${text.slice(from, end)}${end < text.length ? '…' : ''} (${text.length} characters)`
}

/** The trust document, or how the client was set up, does not fit. */
export class SetupError extends SvcError {
  override name = 'SetupError'
}

/** Makes the error for a refusal, by its status. */
export function refusalOf(refusal: Refusal): ServiceError {
  if (refusal.status === 401) return new AuthenticationError(refusal)
  if (refusal.status === 429) return new RateLimitError(refusal)
  return refusal.status >= 502 && refusal.status <= 504 ? new UnavailableError(refusal) : new ServiceError(refusal)
}

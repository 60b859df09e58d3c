import { membersOf } from './members.ts'

/** The body of every refusal: `message` is the HTTP phrase, `error` the sentence, `code` a stable word for programs. */
export interface ErrorBody {
  readonly statusCode: number
  readonly message: string
  readonly error: string
  readonly code: string
  /** Hash of a transaction that may have reached the chain although the request was refused. */
  readonly tx_hash?: string
}

/** Members that a refusal may carry besides its sentence. */
export interface RefusalOptions {
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
  /** Hash of a transaction that may have reached the chain. */
  readonly txHash?: string
  readonly cause?: unknown
}

/**
 * Refusal meant for the caller. `message` is the sentence that the holder of the key reads: what was wrong, the value, what would be right. Any other error that is thrown
 * is a bug, and becomes a 500 without details.
 */
export class ServiceError extends Error {
  readonly statusCode: number
  /** Stable SCREAMING_SNAKE word for programs. */
  readonly code: string
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfter: number | undefined
  /** Hash of a transaction that may have reached the chain; sent as `tx_hash`. */
  readonly txHash: string | undefined

  /** Makes a refusal with any code. Use the functions of `declareErrors` instead, which take declared codes only. */
  constructor(statusCode: number, code: string, message: string, options: RefusalOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ServiceError'
    this.statusCode = statusCode
    this.code = code
    this.retryAfter = options.retryAfter
    this.txHash = options.txHash
  }
}

/** Copies a refusal with the same code, and with another status, another sentence or further members. */
export function restated(
  error: ServiceError,
  { statusCode = error.statusCode, message = error.message, ...options }: RefusalOptions & { statusCode?: number; message?: string },
): ServiceError {
  return new ServiceError(statusCode, error.code, message, options)
}

/** Tells whether an error is a ServiceError, by its properties: two packages may carry two copies of the class. */
export function isServiceError(error: unknown): error is ServiceError {
  if (!(error instanceof Error)) return false
  const { statusCode, code } = membersOf(error)
  return error.name === 'ServiceError' && typeof statusCode === 'number' && typeof code === 'string'
}

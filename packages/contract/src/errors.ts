/** The body of every refusal: `message` is the HTTP phrase, `error` the sentence, `code` a stable word for programs. */
export interface ErrorBody {
  readonly statusCode: number
  readonly message: string
  readonly error: string
  readonly code: string
}

/**
 * A refusal meant for the caller. `message` is the sentence the holder of the key reads: what was wrong, the value, what
 * would be right. Anything else that is thrown is a bug and becomes a 500 that says nothing.
 */
export class ServiceError extends Error {
  readonly statusCode: number
  /** Stable SCREAMING_SNAKE word for programs. */
  readonly code: string
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  readonly retryAfter: number | undefined

  constructor(statusCode: number, code: string, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ServiceError'
    this.statusCode = statusCode
    this.code = code
    this.retryAfter = options.retryAfter
  }
}

/** 400: the request, or the chain's state, does not allow it. */
export function badRequest(code: string, message: string, cause?: unknown): ServiceError {
  return new ServiceError(400, code, message, { cause })
}

/** 401: no credential, or one that is not accepted. */
export function unauthorized(code: string, message: string): ServiceError {
  return new ServiceError(401, code, message)
}

/** 404: nothing is known under that name. */
export function notFound(code: string, message: string): ServiceError {
  return new ServiceError(404, code, message)
}

/** 422: understood, and not possible; only where the specification asks for this status. */
export function unprocessable(code: string, message: string, cause?: unknown): ServiceError {
  return new ServiceError(422, code, message, { cause })
}

/** 502: the chain's endpoints are down, or answer what cannot be understood. */
export function badGateway(code: string, message: string, cause?: unknown): ServiceError {
  return new ServiceError(502, code, message, { cause })
}

/** 503: not now; `retryAfter` in seconds. */
export function unavailable(code: string, message: string, retryAfter: number, cause?: unknown): ServiceError {
  return new ServiceError(503, code, message, { retryAfter, cause })
}

/** 504: the chain's endpoints are too slow. */
export function gatewayTimeout(code: string, message: string, cause?: unknown): ServiceError {
  return new ServiceError(504, code, message, { cause })
}

/** Recognises a refusal by its properties, because two packages may carry two copies of this one. */
export function isServiceError(error: unknown): error is ServiceError {
  if (!(error instanceof Error)) return false
  const { statusCode, code } = error as Partial<ServiceError>
  return error.name === 'ServiceError' && typeof statusCode === 'number' && typeof code === 'string'
}

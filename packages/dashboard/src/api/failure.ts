/**
 * Kind of a call's failure, as far as the page treats it differently: `unauthorized` asks for a token, `forbidden` and `missing` are states of a page, `limited`
 * is tried again after a while, `refused` is to be mended by the reader, `failed` by the operator, `offline` means that no answer came.
 */
export type FailureKind = 'unauthorized' | 'forbidden' | 'missing' | 'limited' | 'refused' | 'failed' | 'offline'

/** A call of the API that did not succeed. `message` is the service's own sentence where it gave one. */
export class ApiFailure extends Error {
  readonly kind: FailureKind
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** The service's error code, such as `KEY_NOT_FOUND`. */
  readonly code: string | null
  /** When it is worth trying again, in milliseconds since 1970. */
  readonly retryAt: number | null
  /** Id to quote when asking about the failure. */
  readonly requestId: string | null

  constructor(
    message: string,
    { kind, status = 0, code = null, retryAt = null, requestId = null }: Partial<Omit<ApiFailure, 'kind'>> & Pick<ApiFailure, 'kind'>,
  ) {
    super(message)
    this.name = 'ApiFailure'
    this.kind = kind
    this.status = status
    this.code = code
    this.retryAt = retryAt
    this.requestId = requestId
  }
}

/** Returns the kind that a status stands for. */
export function kindOf(status: number): FailureKind {
  if (status === 401) return 'unauthorized'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'missing'
  if (status === 429) return 'limited'
  return status >= 500 ? 'failed' : 'refused'
}

import { type RefusalOptions, ServiceError } from './errors.ts'

/** Status and meaning of each code that a package raises, for the page that lists them all. */
export type ErrorCodes = Readonly<Record<string, readonly [status: number, meaning: string]>>

/** Those codes of a table, or of a union of tables, that are declared with a status. */
export type CodeOf<Table, Status extends number = number> = Table extends ErrorCodes
  ? { [Code in keyof Table & string]: [Table[Code][0] & Status] extends [never] ? never : Code }[keyof Table & string]
  : never

/** Makes refusals, with the codes of `Table` only, each under the status that it is declared with. */
export interface Refusals<Table> {
  /** 400: the request, or the chain's state, does not allow it. */
  readonly badRequest: (code: CodeOf<Table, 400>, message: string, cause?: unknown) => ServiceError
  /** 401: no credential, or one that is not accepted. */
  readonly unauthorized: (code: CodeOf<Table, 401>, message: string) => ServiceError
  /** 404: nothing is known under that name. */
  readonly notFound: (code: CodeOf<Table, 404>, message: string) => ServiceError
  /** 422: understood, and not possible; only where the specification asks for this status, also of codes that are 400 elsewhere. */
  readonly unprocessable: (code: CodeOf<Table, 400 | 422>, message: string, cause?: unknown) => ServiceError
  /** 502: the chain's endpoints are down, or answer what cannot be understood. */
  readonly badGateway: (code: CodeOf<Table, 502>, message: string, cause?: unknown) => ServiceError
  /** 503: not now; `retryAfter` in seconds. */
  readonly unavailable: (code: CodeOf<Table, 503>, message: string, retryAfter: number, cause?: unknown) => ServiceError
  /** 504: the chain's endpoints are too slow. */
  readonly gatewayTimeout: (code: CodeOf<Table, 504>, message: string, cause?: unknown) => ServiceError
  /** Any other status, or more to carry: `status` is the one that the code is declared with. */
  readonly serviceError: <Status extends number>(
    status: Status,
    code: CodeOf<Table, Status>,
    message: string,
    options?: RefusalOptions,
  ) => ServiceError
}

/** Types only: what is declared decides which codes compile, and the makers are the same for everybody. */
export const refusals: Refusals<ErrorCodes> = {
  badRequest: (code, message, cause) => new ServiceError(400, code, message, { cause }),
  unauthorized: (code, message) => new ServiceError(401, code, message),
  notFound: (code, message) => new ServiceError(404, code, message),
  unprocessable: (code, message, cause) => new ServiceError(422, code, message, { cause }),
  badGateway: (code, message, cause) => new ServiceError(502, code, message, { cause }),
  unavailable: (code, message, retryAfter, cause) => new ServiceError(503, code, message, { retryAfter, cause }),
  gatewayTimeout: (code, message, cause) => new ServiceError(504, code, message, { cause }),
  serviceError: (status, code, message, options) => new ServiceError(status, code, message, options),
}

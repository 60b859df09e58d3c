import { type RefusalOptions, ServiceError } from './errors.ts'

/** Status and meaning of each code that a package raises, for the page that lists them all. */
export type ErrorCodes = Readonly<Record<string, readonly [status: number, meaning: string]>>

/** Codes of a table, or of a union of tables, that are declared with the status. */
export type CodeOf<Table, Status extends number = number> = Table extends ErrorCodes
  ? { [Code in keyof Table & string]: [Table[Code][0] & Status] extends [never] ? never : Code }[keyof Table & string]
  : never

/** Functions that make refusals, with the codes of `Table` only, each under the status that it is declared with. */
export interface Refusals<Table> {
  /** Makes a 400: the request, or the chain's state, does not allow it. */
  readonly badRequest: (code: CodeOf<Table, 400>, message: string, cause?: unknown) => ServiceError
  /** Makes a 401: no credential, or one that is not accepted. */
  readonly unauthorized: (code: CodeOf<Table, 401>, message: string) => ServiceError
  /** Makes a 404: nothing is known under that name. */
  readonly notFound: (code: CodeOf<Table, 404>, message: string) => ServiceError
  /** Makes a 422: understood, and not possible; only where the specification asks for this status, also with codes that are 400 elsewhere. */
  readonly unprocessable: (code: CodeOf<Table, 400 | 422>, message: string, cause?: unknown) => ServiceError
  /** Makes a 502: the chain's endpoints are down, or give answers that cannot be understood. */
  readonly badGateway: (code: CodeOf<Table, 502>, message: string, cause?: unknown) => ServiceError
  /** Makes a 503: not possible at present; `retryAfter` in seconds. */
  readonly unavailable: (code: CodeOf<Table, 503>, message: string, retryAfter: number, cause?: unknown) => ServiceError
  /** Makes a 504: the chain's endpoints are too slow. */
  readonly gatewayTimeout: (code: CodeOf<Table, 504>, message: string, cause?: unknown) => ServiceError
  /** Makes a refusal of any other status, or with more members; `status` is the one that the code is declared with. */
  readonly serviceError: <Status extends number>(
    status: Status,
    code: CodeOf<Table, Status>,
    message: string,
    options?: RefusalOptions,
  ) => ServiceError
}

/** Makers of refusals, the same for every package; a package's declaration restricts by types alone which codes compile. */
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

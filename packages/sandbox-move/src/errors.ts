/** gRPC codes that the node answers with. @see https://grpc.github.io/grpc/core/md_doc_statuscodes.html (read 2026-11-21) */
export const grpcCodes = {
  CANCELLED: 1,
  UNKNOWN: 2,
  INVALID_ARGUMENT: 3,
  DEADLINE_EXCEEDED: 4,
  NOT_FOUND: 5,
  RESOURCE_EXHAUSTED: 8,
  FAILED_PRECONDITION: 9,
  ABORTED: 10,
  OUT_OF_RANGE: 11,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
  UNAVAILABLE: 14,
} as const

export type GrpcCode = keyof typeof grpcCodes

/** Tells whether a value is the name of one of `grpcCodes`. */
export function isGrpcCode(code: unknown): code is GrpcCode {
  return typeof code === 'string' && Object.hasOwn(grpcCodes, code)
}

/** Error with which a call is refused. */
export class GrpcError extends Error {
  readonly code: GrpcCode

  constructor(code: GrpcCode, message: string) {
    super(message)
    this.name = 'GrpcError'
    this.code = code
  }
}

/** Makes the error of a node without an index: the status, and no word. @see MystenLabs/sui sui-rpc-api error.rs `RpcError::not_found` at 00f7552 (read 2026-11-25) */
export function withoutIndex(): GrpcError {
  return new GrpcError('NOT_FOUND', '')
}

/** Makes the refusal of a request that is invalid in itself. */
export function invalid(message: string): GrpcError {
  return new GrpcError('INVALID_ARGUMENT', message)
}

/** Prefix that nodes put before a reason for which a transaction does not fit the state. */
export const inputErrors = 'Error checking transaction input objects: '

/** Makes the refusal of a transaction that does not fit the state. */
export function inputError(message: string): GrpcError {
  return invalid(`${inputErrors}${message}`)
}

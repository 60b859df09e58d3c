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

export function isGrpcCode(code: unknown): code is GrpcCode {
  return typeof code === 'string' && Object.hasOwn(grpcCodes, code)
}

/** What a call is refused with. */
export class GrpcError extends Error {
  readonly code: GrpcCode

  constructor(code: GrpcCode, message: string) {
    super(message)
    this.name = 'GrpcError'
    this.code = code
  }
}

export function invalid(message: string): GrpcError {
  return new GrpcError('INVALID_ARGUMENT', message)
}

/** A transaction that does not fit the state: the text that nodes put before it. */
export function inputError(message: string): GrpcError {
  return invalid(`Error checking transaction input objects: ${message}`)
}

import { GrpcStatusCode } from '@mysten/sui/grpc'
import { badGateway, gatewayTimeout, isServiceError, type ServiceError, unavailable } from '@svc/contract'

/**
 * A node's own words about what it was asked: the object is not there, the transaction is not valid. Statuses that speak of the node
 * itself never come here.
 */
export interface Verdict {
  /** Name of the gRPC status. */
  readonly code: string
  readonly message: string
}

/**
 * gRPC statuses that are verdicts.
 *
 * @see https://grpc.io/docs/guides/status-codes (read 2026-11-21)
 */
const VERDICTS: Readonly<Record<string, true>> = {
  INVALID_ARGUMENT: true,
  NOT_FOUND: true,
  ALREADY_EXISTS: true,
  FAILED_PRECONDITION: true,
  ABORTED: true,
  OUT_OF_RANGE: true,
}
/** Name of the status of what is not there. */
export const NOT_FOUND = GrpcStatusCode[GrpcStatusCode.NOT_FOUND]
/** What a node says that does not come to answer. */
const FAILURES: Readonly<Record<string, (cause: unknown) => ServiceError>> = {
  UNAVAILABLE: (cause) =>
    unavailable('UPSTREAM_BUSY', "The chain's node takes no calls at the moment; try again in a few seconds.", 5, cause),
  RESOURCE_EXHAUSTED: (cause) => unavailable('UPSTREAM_BUSY', "The chain's node is overloaded; try again in a few seconds.", 5, cause),
  DEADLINE_EXCEEDED: (cause) => gatewayTimeout('UPSTREAM_TIMEOUT', "The chain's node did not answer in time; try again.", cause),
}
/** A node that misses something names it; a wrong path on the way to a node is a bare "Not Found". */
const NAMES_SOMETHING = /0x[0-9a-f]{2}|[1-9A-HJ-NP-Za-km-z]{32}|\d/i

/** What a node's verdict was, from whatever a client threw; null when it is none. */
export function verdictOf(error: unknown): Verdict | null {
  for (const { name, code, message } of causes(error))
    if (name === 'RpcError' && isVerdict(code, message)) return { code: String(code), message: String(message) }
  return null
}

/**
 * What a failed call comes to for the caller: the refusal itself where the service's `fetch` made it, else what the node's status means.
 *
 * @returns null for a verdict, which only who asked can interpret
 */
export function failureOf(error: unknown): ServiceError | null {
  for (const each of causes(error)) if (isServiceError(each)) return each
  for (const { name, code, message } of causes(error)) {
    if (name !== 'RpcError') continue
    if (isVerdict(code, message)) return null
    return FAILURES[String(code)]?.(error) ?? notAnswered(error)
  }
  return malformed(error)
}

/**
 * A call's answer where the node has no reason to refuse.
 *
 * @throws 502, 503, 504
 */
export async function answer<T>(call: PromiseLike<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw failureOf(error) ?? notAnswered(error)
  }
}

/** A member that the node must have sent. @throws 502 */
export function present<T>(member: T | undefined | null): T {
  if (member === undefined || member === null) throw malformed()
  return member
}

/** The chain's node answered what cannot be understood. */
export function malformed(cause?: unknown): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node gave an answer of another form; try again.", cause)
}

/** The chain's node could not answer. */
export function notAnswered(cause?: unknown): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", cause)
}

function isVerdict(code: unknown, message: unknown): boolean {
  const missing = code === NOT_FOUND && !NAMES_SOMETHING.test(String(message))
  return VERDICTS[String(code)] === true && !missing
}

interface Thrown extends Error {
  readonly code?: unknown
}

/** An error and those that it wraps. */
function* causes(error: unknown): Generator<Thrown> {
  let each = error
  for (let depth = 0; each instanceof Error && depth < 10; depth++) {
    yield each
    each = each.cause
  }
}

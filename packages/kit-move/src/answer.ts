import { GrpcStatusCode } from '@mysten/sui/grpc'
import { EndpointError, isEndpointError, malformedAnswer, requireSent } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { badGateway, gatewayTimeout, unavailable } from './codes.ts'

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
/** Name of the status for an object or transaction that does not exist. */
export const NOT_FOUND = GrpcStatusCode[GrpcStatusCode.NOT_FOUND]
/** Failures of a node that does not come to answer; every other status that is no verdict is a node that could not. */
const FAILURES: Readonly<Record<string, (cause: unknown) => EndpointError>> = {
  UNAVAILABLE: (cause) => busy("The chain's node takes no calls at the moment; try again in a few seconds.", cause),
  RESOURCE_EXHAUSTED: (cause) => busy("The chain's node is overloaded; try again in a few seconds.", cause),
  DEADLINE_EXCEEDED: (cause) =>
    new EndpointError('no answer', gatewayTimeout('UPSTREAM_TIMEOUT', "The chain's node did not answer in time; try again.", cause)),
}
/**
 * Calls for which a node looks into the index of what owners have. One that keeps none answers them by the status alone, without a word, for which the
 * library puts nothing or the name of the status.
 *
 * @see https://github.com/MystenLabs/sui/tree/main/crates/sui-rpc-api/src/grpc/v2 (`indexes().ok_or_else(RpcError::not_found)`, in simulations where gas is selected; read 2026-11-25)
 */
const INDEXED: ReadonlySet<unknown> = new Set([
  'GetBalance',
  'GetCoinInfo',
  'ListBalances',
  'ListDynamicFields',
  'ListOwnedObjects',
  'SimulateTransaction',
])
const WORDLESS: ReadonlySet<unknown> = new Set(['', NOT_FOUND])
/** A node that misses something names it; a wrong path on the way to a node is a bare "Not Found". */
const NAMES_SOMETHING = /0x[0-9a-f]{2}|[1-9A-HJ-NP-Za-km-z]{32}|\d/i

/** Finds a node's verdict in the error that a client threw; null when there is none. */
export function verdictOf(error: unknown): Verdict | null {
  for (const { name, code, message } of causes(error))
    if (name === 'RpcError' && isVerdict(code, message)) return { code: String(code), message: String(message) }
  return null
}

/** Tells whether a node lacks a method: the node is not faulty, and another one may have the method. */
export function isUnimplemented(error: unknown): boolean {
  return [...causes(error)].some(({ name, code }) => name === 'RpcError' && code === GrpcStatusCode[GrpcStatusCode.UNIMPLEMENTED])
}

/** Makes the endpoint error for a failed call, by its status. @returns null for a verdict, which only who asked can interpret */
export function failureOf(error: unknown): EndpointError | null {
  for (const each of causes(error)) {
    if (isEndpointError(each)) return each
    const { name, code, message, methodName } = each
    if (name !== 'RpcError') continue
    if (isVerdict(code, message)) return null
    if (code === NOT_FOUND && WORDLESS.has(message) && INDEXED.has(methodName)) return withoutIndex(error)
    return FAILURES[String(code)]?.(error) ?? unanswered(error)
  }
  return malformedAnswer(error)
}

/** Waits for a call that a node has no reason to refuse, and returns its answer. @throws EndpointError */
export async function answer<T>(call: PromiseLike<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw failureOf(error) ?? unanswered(error)
  }
}

/** Checks that a number was sent and is at most `most`, and returns it. @throws EndpointError */
export function upTo(most: bigint, member: bigint | undefined): bigint {
  const value = requireSent(member)
  if (value < 0n || value > most) throw malformedAnswer(value)
  return value
}

function busy(sentence: string, cause: unknown): EndpointError {
  return new EndpointError('busy', unavailable('UPSTREAM_BUSY', sentence, 5, cause))
}

/** Makes the fault of a node that keeps no index of owners: it answers all else, and another endpoint may have the index. */
function withoutIndex(cause: unknown): EndpointError {
  const sentence =
    "The chain's node keeps no index of what owners have, so that neither positions nor coins that pay are found: its operator can switch it on with `enable-indexing: true` under `rpc` of its fullnode.yaml."
  return new EndpointError('no answer', badGateway('NODE_WITHOUT_INDEX', sentence, cause), { partial: true })
}

function isVerdict(code: unknown, message: unknown): boolean {
  const missing = code === NOT_FOUND && !NAMES_SOMETHING.test(String(message))
  return VERDICTS[String(code)] === true && !missing
}

interface Thrown extends Error {
  readonly code?: unknown
  /** Name of the called method, as the library notes it. */
  readonly methodName?: unknown
}

/** Lists an error and those that it wraps. */
function* causes(error: unknown): Generator<Thrown> {
  let each = error
  for (let depth = 0; each instanceof Error && depth < 10; depth++) {
    yield each
    each = each.cause
  }
}

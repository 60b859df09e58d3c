import { reasonOf } from '@svc/sandbox'
import type { Context } from '../context.ts'
import { ChainError, type GrpcCode, PlainError, QueryError, sdk } from '../errors.ts'

/** Answers one query: encoded request in, encoded response out. @throws QueryError, ChainError */
export type QueryHandler = (request: Uint8Array, ctx: Context) => Uint8Array

/** Handlers by gRPC path. */
export type QueryRoutes = Readonly<Record<string, QueryHandler>>

/** Answer of `abci_query`. */
interface QueryOutcome {
  readonly code: number
  readonly codespace: string
  readonly log: string
  readonly value: Uint8Array
}

/** Makes the handler of a query whose messages have codecs. */
export function query<Request, Response>(
  request: { decode(bytes: Uint8Array): Request },
  response: { encode(message: Response): { finish(): Uint8Array } },
  answer: (request: Request, ctx: Context) => Response,
): QueryHandler {
  return (bytes, ctx) => response.encode(answer(decode(request, bytes), ctx)).finish()
}

/** Runs a query; a refusal becomes an outcome with a code, as on the chain. */
export function runQuery(routes: QueryRoutes, path: string, request: Uint8Array, ctx: Context): QueryOutcome {
  const handler = Object.hasOwn(routes, path) ? routes[path] : undefined
  if (handler === undefined) return refusal(sdk.unknownRequest.code, 'unknown query path: unknown request')
  try {
    return { code: 0, codespace: '', log: '', value: handler(request, ctx) }
  } catch (error) {
    if (error instanceof QueryError) return grpcRefusal(error.grpc, error.message)
    if (error instanceof PlainError) return refusal(sdk.invalidRequest.code, `${error.message}: ${sdk.invalidRequest.text}`)
    // An error that is not of gRPC is of the unknown kind to it, and its text stays as it is.
    if (error instanceof ChainError) return refusal(sdk.unknownRequest.code, `${error.message}: ${sdk.unknownRequest.text}`)
    throw error
  }
}

const byGrpc: Readonly<Record<GrpcCode, { code: number; text: string }>> = {
  NotFound: sdk.keyNotFound,
  InvalidArgument: sdk.invalidRequest,
  FailedPrecondition: sdk.invalidRequest,
  Unknown: sdk.unknownRequest,
  Internal: sdk.unknownRequest,
  Unimplemented: sdk.unknownRequest,
}

function grpcRefusal(grpc: GrpcCode, message: string): QueryOutcome {
  const { code, text } = byGrpc[grpc]
  return refusal(code, `rpc error: code = ${grpc} desc = ${message}: ${text}`)
}

function refusal(code: number, log: string): QueryOutcome {
  return { code, codespace: 'sdk', log, value: new Uint8Array() }
}

function decode<T>(codec: { decode(bytes: Uint8Array): T }, bytes: Uint8Array): T {
  try {
    return codec.decode(bytes)
  } catch (cause) {
    throw new PlainError(reasonOf(cause) === 'premature EOF' ? 'unexpected EOF' : reasonOf(cause), { cause })
  }
}

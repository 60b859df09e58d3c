import { GrpcWebFetchTransport, type RpcTransport } from '@mysten/sui/grpc'
import { isServiceError, type KitIo } from '@svc/contract'
import { failureOf } from './answer.ts'

/**
 * gRPC-web over the service's `fetch`. That one refuses with sentences and statuses of its own, which the transport would flatten into a
 * text: here a call rejects with them, and with what the node's status means. Only a verdict stays the node's own error.
 */
export function createTransport({ fetch: send }: KitIo): RpcTransport {
  const inner = new GrpcWebFetchTransport({ baseUrl: 'http://upstream.invalid', format: 'binary', fetch: send })
  return {
    mergeOptions: (options) => inner.mergeOptions(options),
    clientStreaming: (method) => inner.clientStreaming(method),
    duplex: (method) => inner.duplex(method),
    serverStreaming: (...given) => inner.serverStreaming(...given),
    unary(method, input, options) {
      let refusal: unknown
      const noting = (...given: Parameters<typeof send>) =>
        send(...given).catch((error: unknown) => {
          refusal = error
          throw error
        })
      // The transport reads its `fetch` from the options of each call.
      const call = inner.unary(method, input, { ...options, fetch: noting } as typeof options)
      const told = <T>(part: Promise<T>): Promise<T> => {
        const meant = part.catch((error: unknown) => {
          throw isServiceError(refusal) ? refusal : (failureOf(error) ?? error)
        })
        // Whoever awaits the call looks at all four parts; whoever awaits one of them leaves the others alone.
        meant.catch(() => undefined)
        return meant
      }
      const { headers, response, status, trailers } = call
      return Object.assign(call, { headers: told(headers), response: told(response), status: told(status), trailers: told(trailers) })
    },
  }
}

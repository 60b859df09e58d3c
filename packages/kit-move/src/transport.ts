import { type GrpcTypes, GrpcWebFetchTransport, type RpcTransport } from '@mysten/sui/grpc'
import { type KitIo, membersOf } from '@svc/contract'

/** What passed through a transport, beside the answers themselves. */
export interface Seen {
  /** The first failure of the network: whatever a client makes of it, it is this. */
  lost?: { readonly error: unknown }
  /** The last simulation, whole. */
  simulated?: GrpcTypes.SimulateTransactionResponse
}

/** What of a simulation is wanted beside what the library asks for where a node completes a transaction. */
const ALSO = 'transaction.effects.changed_objects'
const RESOLVED = 'transaction.transaction.kind'

/** gRPC-web to one endpoint. */
export function createTransport(send: KitIo['fetch'], seen: Seen): RpcTransport {
  const inner = new GrpcWebFetchTransport({ baseUrl: 'http://upstream.invalid', format: 'binary', fetch: send })
  const noting = (...given: Parameters<typeof send>) =>
    send(...given).catch((error: unknown) => {
      seen.lost ??= { error }
      throw error
    })
  return {
    mergeOptions: (options) => inner.mergeOptions(options),
    clientStreaming: (method) => inner.clientStreaming(method),
    duplex: (method) => inner.duplex(method),
    serverStreaming: (method, input, options) => inner.serverStreaming(method, input, { ...options, fetch: noting }),
    unary(method, input, options) {
      const readMask = membersOf(membersOf(input).readMask)
      const paths: readonly unknown[] = Array.isArray(readMask.paths) ? readMask.paths : []
      const simulation = method.name === 'SimulateTransaction'
      const asked = simulation && paths.includes(RESOLVED) ? { ...input, readMask: { ...readMask, paths: [...paths, ALSO] } } : input
      // The transport reads its `fetch` from the options of each call.
      const call = inner.unary(method, asked, { ...options, fetch: noting })
      if (simulation) {
        const noted = (response: unknown) => {
          // The method's own answer, which the library has decoded.
          seen.simulated = response as GrpcTypes.SimulateTransactionResponse
        }
        call.response.then(noted, () => undefined)
      }
      return call
    },
  }
}

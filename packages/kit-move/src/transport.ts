import { type GrpcTypes, GrpcWebFetchTransport, type RpcTransport } from '@mysten/sui/grpc'
import { type KitIo, membersOf } from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'

/** Record of what passed through a transport, beside the answers themselves. */
export interface TransportRecord {
  /** First failure of the network, from which a client's own error follows. */
  lost?: { readonly error: unknown }
  /** Complete answer to the last simulation. */
  simulated?: GrpcTypes.SimulateTransactionResponse
}

/** Fields of a simulation that are wanted beside those that the library asks for where a node completes a transaction. */
const ALSO = 'transaction.effects.changed_objects'
const RESOLVED = 'transaction.transaction.kind'

/** Makes a gRPC-web transport to one endpoint. */
export function createTransport(send: KitIo['fetch'], trace: TransportRecord): RpcTransport {
  const inner = new GrpcWebFetchTransport({ baseUrl: 'http://upstream.invalid', format: 'binary', fetch: send })
  const noting = async (...parameters: Parameters<typeof send>) => {
    try {
      const response = await send(...parameters)
      // What a node does not have is a status inside of an answer; this is a path that leads to no node, and may bring no word with it.
      if (response.status === 404) throw unanswered(response.statusText)
      return response
    } catch (error) {
      trace.lost ??= { error }
      throw error
    }
  }
  return {
    mergeOptions: (options) => inner.mergeOptions(options),
    clientStreaming: (method) => inner.clientStreaming(method),
    duplex: (method) => inner.duplex(method),
    serverStreaming: (method, input, options) => inner.serverStreaming(method, input, { ...options, fetch: noting }),
    unary(method, input, options) {
      const readMask = membersOf(membersOf(input).readMask)
      const paths: readonly unknown[] = Array.isArray(readMask.paths) ? readMask.paths : []
      const simulation = method.name === 'SimulateTransaction'
      const request = simulation && paths.includes(RESOLVED) ? { ...input, readMask: { ...readMask, paths: [...paths, ALSO] } } : input
      // The transport reads its `fetch` from the options of each call.
      const call = inner.unary(method, request, { ...options, fetch: noting })
      if (simulation) {
        const onSimulation = (response: unknown) => {
          // The method's own answer, which the library has decoded.
          trace.simulated = response as GrpcTypes.SimulateTransactionResponse
        }
        call.response.then(onSimulation, () => undefined)
      }
      return call
    },
  }
}

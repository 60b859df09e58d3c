import { SuiGrpcClient } from '@mysten/sui/grpc'
import {
  EndpointError,
  isEndpointError,
  isServiceError,
  type KitContext,
  type KitIo,
  requireChain,
  requireRecent,
  unanswered,
} from '@svc/contract'
import { failureOf } from './answer.ts'
import { type ServiceInfo, serviceInfo } from './service-info.ts'
import { identifierOf, type MoveNetwork, type MoveSettings, nameOf } from './settings.ts'
import type { SystemState } from './system-state.ts'
import { systemStates } from './system-states.ts'
import { createTransport, type Seen } from './transport.ts'

/** One endpoint, for the time of an exchange. Put every call of `sui` through `answer`, so that what is no answer is told from a verdict. */
export interface MoveNode {
  readonly sui: SuiGrpcClient
  /** What it says of itself, found to be of this network and up to date. Asked along with the first calls. */
  readonly live: Promise<ServiceInfo>
  /** What a simulation said beyond what the library passes on. */
  readonly seen: Seen
  /** The present epoch's system state, remembered for 50 minutes or until the epoch ends: it is large. */
  systemState(): Promise<SystemState>
}

/** A chain of the family over the service's endpoints. */
export interface MoveClient {
  /**
   * A piece of work with one endpoint, which is asked along with it which chain it serves and how far it is. The work begins anew with the
   * next endpoint when that one is of another chain or behind, when it fails, and when an answer of it cannot be.
   *
   * @param work throws a refusal for the caller (400), which is final; anything else that it throws is the endpoint's fault
   * @throws 502, 503, 504 when no endpoint is left
   */
  exchange<T>(work: (node: MoveNode) => PromiseLike<T>): Promise<T>
  /** The last system state that was read, within nearly two hours: of this epoch, or of the one before. Asks nobody. */
  remembered(): SystemState | undefined
  /** What an endpoint says of itself, whichever chain it serves. @throws 502, 503, 504 */
  serviceInfo(): Promise<ServiceInfo>
}

/** Calls nothing. @throws 500 CHAIN_IDENTIFIER_MISSING */
export function connectMove(network: MoveNetwork, io: KitIo): MoveClient {
  const name = nameOf(identifierOf(network))
  const states = systemStates(() => io.now().getTime())
  const clientOf = (send: KitIo['fetch'], seen: Seen) => new SuiGrpcClient({ network: name, transport: createTransport(send, seen) })

  return {
    exchange: (work) =>
      io.exchange(async (send, endpoint) => {
        const seen: Seen = {}
        const sui = clientOf(send, seen)
        const live = serviceInfo(sui).then((info) => requireLive(network, info, io.now()))
        const node = { sui, live, seen, systemState: () => states.present(sui, live, endpoint) }
        try {
          // A node of another chain explains whatever else it refuses.
          const done = (async () => work(node))().catch(async (error: unknown) => {
            await live
            throw error
          })
          const [value] = await Promise.all([done, live])
          return value
        } catch (error) {
          throw faultOf(error, seen)
        }
      }),
    remembered: states.remembered,
    serviceInfo: () =>
      io.exchange(async (send) => {
        const seen: Seen = {}
        try {
          return await serviceInfo(clientOf(send, seen))
        } catch (error) {
          throw faultOf(error, seen)
        }
      }),
  }
}

/** What a failed piece of work says: the chain's verdict for the caller, or no verdict, with which the next endpoint is asked. */
function faultOf(error: unknown, { lost }: Seen): unknown {
  if (isServiceError(error) && error.statusCode < 500) return error
  if (lost !== undefined) return lost.error
  if (isEndpointError(error)) return error
  return isServiceError(error) ? new EndpointError('malformed', error) : (failureOf(error) ?? unanswered(error))
}

/**
 * Nothing is read or crafted from a node that serves another chain or lies behind: its positions, object versions and rates would be wrong.
 *
 * @throws EndpointError
 */
function requireLive(network: MoveNetwork, info: ServiceInfo, now: Date): ServiceInfo {
  const found = info.chainIdentifier
  requireChain(found === identifierOf(network) ? network.chainId : nameOf(found), network.chainId)
  requireRecent(info.time, network.max_checkpoint_age, now)
  return info
}

/** The chain's name, or its identifier where it is none that is known: compared with the network's chain id. @throws 502, 503, 504 */
export async function identifyMove({ client, network }: KitContext<MoveClient, MoveSettings>): Promise<string> {
  const { chainIdentifier } = await client.serviceInfo()
  return chainIdentifier === identifierOf(network) ? network.chainId : nameOf(chainIdentifier)
}

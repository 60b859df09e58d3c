import { SuiGrpcClient } from '@mysten/sui/grpc'
import {
  EndpointError,
  isEndpointError,
  isServiceError,
  type KitContext,
  type KitIo,
  requireChain,
  requireRecent,
  type Sender,
} from '@svc/contract'
import { unanswered } from '@svc/contract/rpc'
import { sameWork } from './agreement.ts'
import { failureOf } from './answer.ts'
import { type ServiceInfo, serviceInfo } from './service-info.ts'
import { identifierOf, type MoveNetwork, type MoveSettings, nameOf } from './settings.ts'
import type { SystemState } from './system-state.ts'
import { systemStates } from './system-states.ts'
import { createTransport, type TransportRecord } from './transport.ts'

/** One endpoint, for the time of an exchange. Put every call of `sui` through `answer`, so that what is no answer is told from a verdict. */
export interface MoveNode {
  readonly sui: SuiGrpcClient
  /** Facts that the node says of itself, found to be of this network and up to date. The question goes along with the first calls. */
  readonly live: Promise<ServiceInfo>
  /** Facts of a simulation beyond those that the library passes on. */
  readonly seen: TransportRecord
  /** The present epoch's system state, remembered for 50 minutes or until the epoch ends: it is large. */
  systemState(): Promise<SystemState>
}

/** A chain of the family over the service's endpoints. */
export interface MoveClient {
  /**
   * A piece of work with one endpoint, which is asked along with it which chain it serves and how far it is. The work begins anew with the
   * next endpoint when that one is of another chain or behind, when it fails, and when an answer of it cannot be. Two endpoints may do it at the same time.
   *
   * @param work changes nothing on the chain, and keeps what it changes here until its end; throws a refusal for the caller (400), which is final; anything else that it throws is the endpoint's fault
   * @throws 502, 503, 504 when no endpoint is left
   */
  exchange<T>(work: (node: MoveNode) => PromiseLike<T>): Promise<T>
  /** The same for work that changes the chain: one endpoint is asked at a time, and believed by itself. @throws as `exchange` does */
  submit<T>(work: (node: MoveNode) => PromiseLike<T>): Promise<T>
  /** The last system state that was read, within nearly two hours: of this epoch, or of the one before. Asks nobody. */
  remembered(): SystemState | undefined
  /** Reads what an endpoint says of itself, whichever chain it serves. @throws 502, 503, 504 */
  serviceInfo(): Promise<ServiceInfo>
}

/** Makes the client of a network; calls nothing. @throws 500 CHAIN_IDENTIFIER_MISSING */
export function connectMove(network: MoveNetwork, io: KitIo): MoveClient {
  const name = nameOf(identifierOf(network))
  const states = systemStates(() => io.now().getTime())
  const clientOf = (send: KitIo['fetch'], sighting: TransportRecord) =>
    new SuiGrpcClient({ network: name, transport: createTransport(send, sighting) })

  /** A piece of work at one endpoint, and the system state that it has read on the way. */
  async function visit<T>(work: (node: MoveNode) => PromiseLike<T>, send: Sender, endpoint: number): Promise<Visit<T>> {
    const visited: TransportRecord = {}
    const sui = clientOf(send, visited)
    const live = serviceInfo(sui).then((info) => {
      requireLive(network, info, io.now())
      send.saw?.(info.time)
      return info
    })
    let state: SystemState | null = null
    const systemState = async () => {
      state = await states.present(sui, live, endpoint)
      return state
    }
    try {
      // A node of another chain explains whatever else it refuses.
      const done = (async () => work({ sui, live, seen: visited, systemState }))().catch(async (error: unknown) => {
        await live
        throw error
      })
      const [value] = await Promise.all([done, live])
      return { value, state }
    } catch (error) {
      throw faultOf(error, visited)
    }
  }

  /** Remembers a state that is believed, and not before. */
  async function remembering<T>(visit: Promise<Visit<T>>): Promise<T> {
    const { value, state } = await visit
    if (state !== null) states.keep(state)
    return value
  }

  return {
    // What is asked varies little in time, but for the large system state, which is asked for once an epoch.
    exchange: <T>(work: (node: MoveNode) => PromiseLike<T>) =>
      remembering<T>(io.exchange((send, endpoint) => visit(work, send, endpoint), { kind: 'work', compare: sameWork })),
    submit: <T>(work: (node: MoveNode) => PromiseLike<T>) => remembering<T>(io.exchange((send, endpoint) => visit(work, send, endpoint))),
    remembered: states.remembered,
    serviceInfo: () =>
      io.exchange(async (send) => {
        const trace: TransportRecord = {}
        try {
          return await serviceInfo(clientOf(send, trace))
        } catch (error) {
          throw faultOf(error, trace)
        }
      }),
  }
}

/** Result of a piece of work at one endpoint. */
interface Visit<T> {
  readonly value: T
  /** Null where it was not needed. */
  readonly state: SystemState | null
}

/** Returns what a failed piece of work says: the chain's verdict for the caller, or no verdict, with which the next endpoint is asked. */
function faultOf(error: unknown, { lost }: TransportRecord): unknown {
  // What is new is not there yet at one that is a few checkpoints behind.
  if (isServiceError(error) && error.code === 'OBJECT_NOT_FOUND') return new EndpointError('not held', error)
  if (isServiceError(error) && error.statusCode < 500) return error
  if (lost !== undefined) return lost.error
  if (isEndpointError(error)) return error
  return isServiceError(error) ? new EndpointError('malformed', error) : (failureOf(error) ?? unanswered(error))
}

/**
 * Requires that a node serves the chain and has its head: from another one nothing is read or crafted, since positions, object versions and rates would be wrong.
 *
 * @throws EndpointError
 */
function requireLive(network: MoveNetwork, info: ServiceInfo, now: Date): void {
  const identifier = info.chainIdentifier
  requireChain(identifier === identifierOf(network) ? network.chainId : nameOf(identifier), network.chainId)
  requireRecent(info.time, network.max_checkpoint_age, now)
}

/** Reads the chain's name, or its identifier where the name is not known, for comparison with the network's chain id. @throws 502, 503, 504 */
export async function identifyMove({ client, network }: KitContext<MoveClient, MoveSettings>): Promise<string> {
  const { chainIdentifier } = await client.serviceInfo()
  return chainIdentifier === identifierOf(network) ? network.chainId : nameOf(chainIdentifier)
}

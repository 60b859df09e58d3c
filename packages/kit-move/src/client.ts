import { SuiGrpcClient } from '@mysten/sui/grpc'
import { badGateway, type KitContext, type KitIo, type NetworkBase, unavailable } from '@svc/contract'
import { answer, malformed, present } from './answer.ts'
import { identifierOf, type MoveNetwork, nameOf } from './settings.ts'
import { readSystemState, SYSTEM_STATE_PATHS, type SystemState } from './system-state.ts'
import { createTransport } from './transport.ts'

/** What a node says of itself; a small answer. */
export interface ServiceInfo {
  /** Digest of the genesis checkpoint, base58. */
  readonly chainIdentifier: string
  readonly epoch: bigint
  /** Of its last checkpoint, in milliseconds; null when it does not say. */
  readonly timestampMs: bigint | null
}

/**
 * A chain of the family over the service's `fetch`. Put every call of `sui` through `answer`, so that an answer of another form is a 502
 * too; refusals of the service's `fetch`, and a node that cannot answer, are refusals with or without it.
 */
export interface MoveClient {
  readonly sui: SuiGrpcClient
  serviceInfo(): Promise<ServiceInfo>
  /**
   * The present epoch's system state, remembered for as long as the epoch lasts: it is large. One wave, or two when an epoch has begun.
   * Of a node that serves another chain nothing is taken.
   *
   * @throws 502, 503, 504
   */
  systemState(): Promise<SystemState>
}

/** Calls nothing. @throws 500 CHAIN_IDENTIFIER_MISSING */
export function connectMove(network: NetworkBase, io: KitIo): MoveClient {
  const sui = new SuiGrpcClient({ network: nameOf(identifierOf(network)), transport: createTransport(io) })
  let remembered: SystemState | undefined
  let fetching: Promise<SystemState> | undefined

  async function serviceInfo(): Promise<ServiceInfo> {
    const { chainId, epoch, timestamp } = await answer(sui.ledgerService.getServiceInfo({}).response)
    const timestampMs = timestamp ? timestamp.seconds * 1000n + BigInt(Math.floor(timestamp.nanos / 1e6)) : null
    return { chainIdentifier: present(chainId), epoch: present(epoch), timestampMs }
  }

  function fetched(): Promise<SystemState> {
    fetching ??= answer(sui.ledgerService.getEpoch({ readMask: { paths: [...SYSTEM_STATE_PATHS] } }).response)
      .then(readSystemState)
      .finally(() => {
        fetching = undefined
      })
    return fetching
  }

  return {
    sui,
    serviceInfo,
    async systemState() {
      const [{ chainIdentifier, epoch }, first] = await Promise.all([serviceInfo(), remembered ?? fetched()])
      requireChain(network, chainIdentifier)
      const state = first.epoch < epoch ? await fetched() : first
      // An epoch can begin between the two calls, but not two; what lay further ahead would be taken for the present until it came.
      if (state !== remembered && state.epoch > epoch + 1n) throw malformed()
      // Of two nodes one may be behind; an epoch that is over does not come back.
      if (remembered === undefined || state.epoch > remembered.epoch) remembered = state
      return remembered
    },
  }
}

/** @throws 502 UPSTREAM_OTHER_CHAIN */
function requireChain(network: NetworkBase, chainIdentifier: string): void {
  if (chainIdentifier !== identifierOf(network))
    throw badGateway(
      'UPSTREAM_OTHER_CHAIN',
      `The node serves the chain ${nameOf(chainIdentifier)} instead of ${network.chainId}; the operator has to mend that.`,
    )
}

/** The chain's name, or its identifier where it is none that is known: compared with the network's chain id. @throws 502, 503, 504 */
export async function identifyMove({ client, network }: KitContext<MoveClient>): Promise<string> {
  const { chainIdentifier } = await client.serviceInfo()
  return chainIdentifier === identifierOf(network) ? network.chainId : nameOf(chainIdentifier)
}

/**
 * Refuses to craft from a node that serves another chain or lies behind: its object versions would be wrong, and the transaction useless.
 *
 * @throws 502 UPSTREAM_OTHER_CHAIN; 503 UPSTREAM_BEHIND
 */
export async function requireLiveNode({ client, network, now }: KitContext<MoveClient>): Promise<void> {
  const { chainIdentifier, timestampMs } = await client.serviceInfo()
  requireChain(network, chainIdentifier)
  const { max_checkpoint_age: most } = network as MoveNetwork
  if (most > 0 && timestampMs !== null && BigInt(now().getTime()) - timestampMs > BigInt(most) * 1000n)
    throw unavailable('UPSTREAM_BEHIND', "The chain's node has not caught up with its chain; try again in a minute.", 60)
}

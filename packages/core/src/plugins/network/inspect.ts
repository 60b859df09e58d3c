import { isServiceError, type KitIo } from '@svc/contract'
import { type AnyProtocol, type AnyRequirement, askRequirements, type KeyStore, type RequirementResult } from '@svc/contract/host'
import type { NetworkSettings } from '../services.ts'
import { createKeyStore, memoryRecords } from './key-store.ts'
import { resolveNetwork } from './settings.ts'

export interface Inspection {
  /** Name that the chain gives itself; null when the chain could not be asked. */
  readonly chainId: string | null
  /** Sentences on faults; empty when there are none. */
  readonly problems: readonly string[]
  /** True if the chain could not be asked for something, so that it is not known to be wrong. */
  readonly unreachable: boolean
  /** Sentences on settings that look wrong but may be right; empty where the chain was not asked. */
  readonly doubts: readonly string[]
}

/** Checks one network of a protocol, over the given `fetch`: whether it is the right chain, and whether the settings are true. Changes nothing. */
export async function inspectNetwork(
  protocol: AnyProtocol,
  settings: NetworkSettings,
  io: KitIo,
  now: () => Date = () => new Date(),
): Promise<Inspection> {
  const network = resolveNetwork<object>(protocol, settings)
  const client = protocol.kit.connect(network, io)
  // Only the endpoint given is asked: what the operator named besides it is not the chain.
  const ctx = { client, network, log: io.log, now, memo: {}, store: forgetful(io), upstream: () => null }
  try {
    const chainId = await protocol.kit.identify(ctx)
    if (chainId !== network.chainId)
      return { chainId, unreachable: false, problems: [`the endpoint serves chain ${chainId}, not ${network.chainId}.`], doubts: [] }
    try {
      await protocol.inspect(ctx)
      return { chainId, unreachable: false, problems: [], doubts: (await protocol.inspectFormer?.(ctx)) ?? [] }
    } catch (error) {
      return { chainId, unreachable: isUpstream(error), problems: [reason(error)], doubts: [] }
    }
  } catch (error) {
    return { chainId: null, unreachable: true, problems: [reason(error)], doubts: [] }
  } finally {
    await protocol.kit.close?.(client)
  }
}

/** Lists the requirements for the endpoints of a protocol's kit: the kit's own, and then the protocol's. */
export function requirementsOf({ kit, requirements = [] }: AnyProtocol): readonly AnyRequirement[] {
  return [...(kit.requirements ?? []), ...requirements]
}

/** Checks one endpoint of a network, over the given `fetch`, for each requirement. Changes nothing. */
export async function inspectRequirements(
  protocol: AnyProtocol,
  settings: NetworkSettings,
  io: KitIo,
  now: () => Date = () => new Date(),
): Promise<readonly RequirementResult[]> {
  const network = resolveNetwork<object>(protocol, settings)
  const client = protocol.kit.connect(network, io)
  try {
    return await askRequirements(requirementsOf(protocol), { client, network, log: io.log, now, upstream: io })
  } finally {
    await protocol.kit.close?.(client)
  }
}

/** Checks one endpoint of a group that the protocol names besides its kit's, over the given `fetch`. Changes nothing. */
export async function inspectGroup(
  protocol: AnyProtocol,
  settings: NetworkSettings,
  group: string,
  io: KitIo,
  now: () => Date = () => new Date(),
): Promise<Inspection> {
  const network = resolveNetwork<object>(protocol, settings)
  const ask = protocol.groups?.[group]
  if (!ask) return { chainId: null, unreachable: false, problems: [unknownGroup(protocol, settings, group)], doubts: [] }
  const alone = () => Promise.reject(new TypeError('only the endpoint of the group is asked'))
  const client = protocol.kit.connect(network, { ...io, fetch: alone, exchange: alone })
  const upstream = (name: string) => (name === group ? io : null)
  try {
    await ask({ client, network, log: io.log, now, memo: {}, store: forgetful(io), upstream })
    return { chainId: null, unreachable: false, problems: [], doubts: [] }
  } catch (error) {
    return { chainId: null, unreachable: isUpstream(error), problems: [reason(error)], doubts: [] }
  } finally {
    await protocol.kit.close?.(client)
  }
}

/** Returns a sentence on an endpoint group that the protocol does not know. */
export function unknownGroup({ kit, groups }: AnyProtocol, { path }: NetworkSettings, group: string): string {
  const names = [kit.endpoints, ...Object.keys(groups ?? {})].join(', ')
  return `${path}.endpoints.${group}: there is no such group of endpoints. Known here: ${names}.`
}

/** Makes a store that keeps nothing, for a look at a network. */
function forgetful({ log }: KitIo): KeyStore {
  return createKeyStore(memoryRecords(), '', log)
}

/** Tells whether nothing was found out: the endpoint gave no answer, or the asking was ended. */
function isUpstream(error: unknown): boolean {
  if (isServiceError(error)) return error.statusCode >= 502
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

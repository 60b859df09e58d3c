import { type AnyProtocol, type NetworkSettings, SettingsError, type Upstream, unknownGroup } from '@svc/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config/schema.ts'
import type { Metrics } from './metrics.ts'
import { createPool, type Endpoint, type EndpointState } from './rpc/endpoints.ts'
import { createRpc, type Rpc } from './rpc/rpc.ts'
import { shortName } from './short-name.ts'

/** Most bytes of an answer with prices: a few hundred for each token. */
const MOST_PRICES = 1024 * 1024

export interface UpstreamOptions {
  readonly config: Pick<Config, 'plugins' | 'upstream' | 'prices'>
  readonly log: FastifyBaseLogger
  readonly metrics?: Metrics
  readonly fetch?: typeof fetch
}

/** The failover clients of a config's endpoint groups, made when first asked for. */
export interface Upstreams {
  /** @throws SettingsError when the network has no such group */
  upstream(plugin: string, chainId: string, group: string): Upstream
  /** Each endpoint of a group by itself, in the order of the config. @throws SettingsError when the network has no such group */
  endpoints(plugin: string, chainId: string, group: string): readonly Upstream[]
  /** Where prices come from; null when the operator named no such place. */
  readonly priceSource: Upstream | null
  /** Names of the network's groups. */
  groupsOf(plugin: string, chainId: string): readonly string[]
  /** @throws SettingsError when the network lacks the group of its family, or has one that its protocol does not know */
  assertGroups(plugin: string, protocol: AnyProtocol, network: NetworkSettings): void
  /** How the endpoints are that the config names, as this process has found them. */
  states(): readonly GroupState[]
  close(): void
}

/** The endpoints of one group. */
export interface GroupState {
  /** npm name; null: no plugin's, as those of prices. */
  readonly plugin: string | null
  readonly chainId: string | null
  readonly group: string
  readonly endpoints: readonly EndpointState[]
}

export function createUpstreams({ config, log, metrics, fetch }: UpstreamOptions): Upstreams {
  const groups = new Map<string, Rpc>()
  metrics?.gauge(
    'svc_upstream_healthy',
    '1 for an endpoint that is asked in its turn, 0 for one that rests after failures.',
    () =>
      [...groups].flatMap(([upstream, rpc]) =>
        rpc.endpoints().map(({ number, healthy }) => [{ upstream, endpoint: number }, healthy ? 1 : 0] as const),
      ),
    ['upstream', 'endpoint'],
  )
  const common = {
    timeoutMs: config.upstream.timeout_ms,
    deadlineMs: config.upstream.deadline_ms,
    log,
    ...(metrics ? { metrics } : {}),
    ...(fetch ? { fetch } : {}),
  }
  const prices = config.prices && createRpc({ ...common, endpoints: priceEndpoints(config), name: 'prices', mostBytes: MOST_PRICES })
  if (prices) groups.set('prices', prices)
  const rpcOf = (plugin: string, chainId: string, group: string): Rpc => {
    const name = nameOf(plugin, chainId, group)
    const rpc = groups.get(name) ?? createRpc({ ...common, endpoints: endpointsOf(config, plugin, chainId, group), name })
    groups.set(name, rpc)
    return rpc
  }
  return {
    priceSource: prices ?? null,
    upstream: rpcOf,
    endpoints: (plugin, chainId, group) => rpcOf(plugin, chainId, group).singles(),
    groupsOf: (plugin, chainId) => groupsOf(config, plugin, chainId),
    assertGroups: (plugin, protocol, network) => assertGroups(config, plugin, protocol, network),
    states() {
      const ofPlugins = Object.entries(config.plugins).flatMap(([plugin, { networks }]) =>
        Object.entries(networks).flatMap(([chainId, { endpoints }]) =>
          Object.keys(endpoints).map((group) => {
            const name = nameOf(plugin, chainId, group)
            // A group that nobody has asked for yet has no client.
            const states = groups.get(name)?.endpoints() ?? createPool(name, endpointsOf(config, plugin, chainId, group), () => 0).states()
            return { plugin, chainId, group, endpoints: states }
          }),
        ),
      )
      return prices ? [...ofPlugins, { plugin: null, chainId: null, group: 'prices', endpoints: prices.endpoints() }] : ofPlugins
    },
    close() {
      for (const rpc of groups.values()) rpc.close()
    },
  }
}

/** As it stands in messages, log and metrics. */
function nameOf(plugin: string, chainId: string, group: string): string {
  return `${shortName(plugin)} ${chainId} ${group}`
}

/** Names of the endpoint groups of a network, in the config's order. */
export function groupsOf(config: Pick<Config, 'plugins'>, plugin: string, chainId: string): readonly string[] {
  return Object.keys(config.plugins[plugin]?.networks[chainId]?.endpoints ?? {})
}

/**
 * Whether a network has the endpoints that its plugin needs, and none that it would never ask.
 *
 * @throws SettingsError with the place in the config and what would be right
 */
export function assertGroups(config: Pick<Config, 'plugins'>, plugin: string, protocol: AnyProtocol, network: NetworkSettings): void {
  const { kit, groups = {} } = protocol
  // First what is there and unknown: it may be the one that is missing, misspelt.
  for (const group of groupsOf(config, plugin, network.chainId))
    if (group !== kit.endpoints && !Object.hasOwn(groups, group)) throw new SettingsError(unknownGroup(protocol, network, group))
  endpointsOf(config, plugin, network.chainId, kit.endpoints)
}

/** An endpoint group as the config names it, in order of preference. */
export function endpointsOf(config: Pick<Config, 'plugins'>, plugin: string, chainId: string, group: string) {
  const endpoints = config.plugins[plugin]?.networks[chainId]?.endpoints[group]
  if (!endpoints)
    throw new SettingsError(`plugins.${plugin}.networks.${chainId}.endpoints.${group} is missing; name at least one endpoint.`)
  return endpoints.map(plain)
}

/** The endpoints of the price source, in order of preference. */
export function priceEndpoints(config: Pick<Config, 'prices'>) {
  return config.prices?.endpoints.map(plain) ?? []
}

/** An endpoint is an address, or an address with headers. */
function plain(endpoint: string | Endpoint): Endpoint {
  return typeof endpoint === 'string' ? { url: endpoint } : endpoint
}

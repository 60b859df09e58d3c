import { SettingsError } from '@svc/contract'
import type { AnyProtocol, Upstream } from '@svc/contract/host'
import type { FastifyBaseLogger } from 'fastify'
import type { Metrics } from '../base/metrics.ts'
import { shortName } from '../base/short-name.ts'
import type { Tracing } from '../base/tracing.ts'
import type { Config } from '../config/schema.ts'
import { unknownGroup } from '../plugins/network/inspect.ts'
import type { NetworkSettings } from '../plugins/services.ts'
import { createPool, type Endpoint, type EndpointState } from './endpoints.ts'
import { operatorOf } from './operators.ts'
import { createRpc, type Rpc } from './rpc.ts'

/** Most bytes of an answer with prices, of which each token takes a few hundred. */
const MOST_PRICES = 1024 * 1024

interface UpstreamOptions {
  readonly config: Pick<Config, 'plugins' | 'upstream' | 'prices'>
  readonly log: FastifyBaseLogger
  readonly metrics?: Metrics
  readonly tracing?: Tracing | undefined
  readonly fetch?: typeof fetch
  /** @default the present */
  readonly now?: (() => Date) | undefined
}

/** The failover clients of a config's endpoint groups, made when first asked for. */
export interface Upstreams {
  /** Returns the client of a group. @throws SettingsError when the network has no such group */
  upstream(plugin: string, chainId: string, group: string): Upstream
  /** Returns each endpoint of a group by itself, in the order of the config. @throws SettingsError when the network has no such group */
  endpoints(plugin: string, chainId: string, group: string): readonly Upstream[]
  /** Source of prices; null when the operator named none. */
  readonly priceSource: Upstream | null
  /** Lists the names of the network's groups. */
  groupsOf(plugin: string, chainId: string): readonly string[]
  /** Checks the groups of a network. @throws SettingsError when the network lacks the group of its family, or has one that its protocol does not know */
  assertGroups(plugin: string, protocol: AnyProtocol, network: NetworkSettings): void
  /** Returns the state of the endpoints that the config names, as this process has found them. */
  states(): readonly GroupState[]
  close(): void
}

/** The endpoints of one group. */
interface GroupState {
  /** npm name of the plugin; null: the group belongs to no plugin, like the source of prices. */
  readonly plugin: string | null
  readonly chainId: string | null
  readonly group: string
  readonly endpoints: readonly EndpointState[]
}

/** Makes the clients of all endpoint groups of a config, and their metrics. It connects to nothing yet. */
export function createUpstreams({ config, log, metrics, tracing, fetch, now = () => new Date() }: UpstreamOptions): Upstreams {
  const groups = new Map<string, Rpc>()
  const warnings = new Set<string>()
  metrics?.gauge(
    'svc_upstream_healthy',
    '1 for an endpoint that is asked in its turn, 0 for one that rests after failures.',
    () =>
      [...groups].flatMap(([upstream, rpc]) =>
        rpc.endpoints().map(({ number, healthy }) => [{ upstream, endpoint: number }, healthy ? 1 : 0] as const),
      ),
    ['upstream', 'endpoint'],
    'min',
  )
  metrics?.gauge(
    'svc_upstream_behind_seconds',
    'Seconds by which the newest block of an endpoint is older than the best one of its group, where it is asked last for that; else 0.',
    () =>
      [...groups].flatMap(([upstream, rpc]) =>
        rpc.endpoints().map(({ number, behindMs }) => [{ upstream, endpoint: number }, Math.round((behindMs ?? 0) / 1000)] as const),
      ),
    ['upstream', 'endpoint'],
    'max',
  )
  metrics?.gauge(
    'svc_upstream_agreement',
    'Endpoints by whose word a reading is believed.',
    () => [...groups].map(([upstream, rpc]) => [{ upstream }, rpc.agreement ?? 1] as const),
    ['upstream'],
    'max',
  )
  const common = {
    timeoutMs: config.upstream.timeout_ms,
    deadlineMs: config.upstream.deadline_ms,
    log,
    ...(metrics ? { metrics } : {}),
    tracing,
    wall: () => now().getTime(),
    ...(fetch ? { fetch } : {}),
  }
  const prices = config.prices && createRpc({ ...common, endpoints: priceEndpoints(config), name: 'prices', mostBytes: MOST_PRICES })
  if (prices) groups.set('prices', prices)
  const rpcOf = (plugin: string, chainId: string, group: string): Rpc => {
    const name = nameOf(plugin, chainId, group)
    const { agreement = 1, hedge = true } = config.plugins[plugin]?.networks[chainId] ?? {}
    const rpc = groups.get(name) ?? createRpc({ ...common, agreement, hedge, endpoints: endpointsOf(config, plugin, chainId, group), name })
    groups.set(name, rpc)
    return rpc
  }
  return {
    priceSource: prices ?? null,
    upstream: rpcOf,
    endpoints: (plugin, chainId, group) => rpcOf(plugin, chainId, group).singles(),
    groupsOf: (plugin, chainId) => groupsOf(config, plugin, chainId),
    assertGroups(plugin, protocol, network) {
      assertGroups(config, plugin, protocol, network)
      const warning = oneOperator(config, plugin, protocol, network.chainId)
      // Accounts with settings of their own have the same endpoints.
      if (warning !== null && !warnings.has(warning))
        log.warn({ upstream: nameOf(plugin, network.chainId, protocol.kit.endpoints) }, warning)
      if (warning !== null) warnings.add(warning)
    },
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

/** Names a group of endpoints for messages, log and metrics. */
function nameOf(plugin: string, chainId: string, group: string): string {
  return `${shortName(plugin)} ${chainId} ${group}`
}

/** Lists the endpoint groups of a network, in the config's order. */
export function groupsOf(config: Pick<Config, 'plugins'>, plugin: string, chainId: string): readonly string[] {
  return Object.keys(config.plugins[plugin]?.networks[chainId]?.endpoints ?? {})
}

/**
 * Asserts that a network has the endpoints that its plugin needs, and none that the plugin would never ask.
 *
 * @throws SettingsError with the place in the config and what would be right
 */
export function assertGroups(config: Pick<Config, 'plugins'>, plugin: string, protocol: AnyProtocol, network: NetworkSettings): void {
  const { kit, groups = {} } = protocol
  // First what is there and unknown: it may be the one that is missing, misspelt.
  for (const group of groupsOf(config, plugin, network.chainId))
    if (group !== kit.endpoints && !Object.hasOwn(groups, group)) throw new SettingsError(unknownGroup(protocol, network, group))
  const endpoints = endpointsOf(config, plugin, network.chainId, kit.endpoints)
  if (agreementOf(config, plugin, network.chainId) === 1) return
  const place = `plugins.${plugin}.networks.${network.chainId}`
  if (!kit.agrees)
    throw new SettingsError(
      `${place}.agreement is 2, and the family ${kit.family} cannot compare what two endpoints say; take the setting out.`,
    )
  if (endpoints.length < 2)
    throw new SettingsError(
      `${place}.agreement is 2, and endpoints.${kit.endpoints} names one endpoint; name another one, of another operator.`,
    )
}

/** Returns the number of endpoints that must agree on a reading of a network. */
export function agreementOf(config: Pick<Config, 'plugins'>, plugin: string, chainId: string): 1 | 2 {
  return config.plugins[plugin]?.networks[chainId]?.agreement ?? 1
}

/** Returns a warning when all the endpoints that have to agree belong to one operator, as far as their names tell; else null. */
export function oneOperator(
  config: Pick<Config, 'plugins'>,
  plugin: string,
  { kit }: Pick<AnyProtocol, 'kit'>,
  chainId: string,
): string | null {
  if (agreementOf(config, plugin, chainId) === 1) return null
  const hosts = endpointsOf(config, plugin, chainId, kit.endpoints).map(({ url }) => (URL.canParse(url) ? new URL(url).host : ''))
  const operators = new Set(hosts.map(operatorOf))
  const [operator] = operators
  if (operators.size > 1 || operator === undefined) return null
  return `plugins.${plugin}.networks.${chainId}.agreement is 2, and all of endpoints.${kit.endpoints} are of ${operator}: who errs or lies there does so at each of them. Name one of another operator.`
}

/** Lists the endpoints of a group as the config names them, in order of preference. */
export function endpointsOf(config: Pick<Config, 'plugins'>, plugin: string, chainId: string, group: string) {
  const endpoints = config.plugins[plugin]?.networks[chainId]?.endpoints[group]
  if (!endpoints)
    throw new SettingsError(`plugins.${plugin}.networks.${chainId}.endpoints.${group} is missing; name at least one endpoint.`)
  return endpoints.map(plain)
}

/** Lists the endpoints of the price source, in order of preference. */
export function priceEndpoints(config: Pick<Config, 'prices'>) {
  return config.prices?.endpoints.map(plain) ?? []
}

/** Returns an endpoint with its headers; the config may give an address alone. */
function plain(endpoint: string | Endpoint): Endpoint {
  return typeof endpoint === 'string' ? { url: endpoint } : endpoint
}

import { SettingsError } from '@svc/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config/schema.ts'
import type { Metrics } from './metrics.ts'
import { createRpc, type Rpc } from './rpc/rpc.ts'

export interface UpstreamOptions {
  readonly config: Pick<Config, 'plugins' | 'upstream'>
  readonly log: FastifyBaseLogger
  readonly metrics?: Metrics
  readonly fetch?: typeof fetch
}

/** The failover clients of a config's endpoint groups, made when first asked for. */
export interface Upstreams {
  /** @throws SettingsError when the network has no such group */
  fetchFor(plugin: string, chainId: string, group: string): typeof fetch
  /** Names of the network's groups. */
  groupsOf(plugin: string, chainId: string): readonly string[]
  close(): void
}

export function createUpstreams({ config, log, metrics, fetch }: UpstreamOptions): Upstreams {
  const groups = new Map<string, Rpc>()
  return {
    fetchFor(plugin, chainId, group) {
      const name = `${plugin.replace(/^@[^/]+\//, '').replace(/^plugin-/, '')} ${chainId} ${group}`
      const known = groups.get(name)
      if (known) return known.fetch
      const rpc = createRpc({
        endpoints: endpointsOf(config, plugin, chainId, group),
        name,
        timeoutMs: config.upstream.timeout_ms,
        deadlineMs: config.upstream.deadline_ms,
        log,
        ...(metrics ? { metrics } : {}),
        ...(fetch ? { fetch } : {}),
      })
      groups.set(name, rpc)
      return rpc.fetch
    },
    groupsOf: (plugin, chainId) => groupsOf(config, plugin, chainId),
    close() {
      for (const rpc of groups.values()) rpc.close()
    },
  }
}

/** Names of the endpoint groups of a network, in the config's order. */
export function groupsOf(config: Pick<Config, 'plugins'>, plugin: string, chainId: string): readonly string[] {
  return Object.keys(config.plugins[plugin]?.networks[chainId]?.endpoints ?? {})
}

/** An endpoint group as the config names it, in order of preference. */
export function endpointsOf(config: Pick<Config, 'plugins'>, plugin: string, chainId: string, group: string) {
  const endpoints = config.plugins[plugin]?.networks[chainId]?.endpoints[group]
  if (!endpoints)
    throw new SettingsError(`plugins.${plugin}.networks.${chainId}.endpoints.${group} is missing; name at least one endpoint.`)
  return endpoints.map((endpoint) => (typeof endpoint === 'string' ? { url: endpoint } : endpoint))
}

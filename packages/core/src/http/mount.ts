import { membersOf, SettingsError } from '@svc/contract'
import type { AnyProtocol, Upstream } from '@svc/contract/host'
import { schemaRef } from '@svc/contract/host'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { present } from '../base/present.ts'
import { seal } from '../base/seal.ts'
import { shortName } from '../base/short-name.ts'
import type { CraftedTransaction } from '../db/crafted-for.ts'
import type { Accounts } from '../plugins/accounts.ts'
import type { Conditions } from '../plugins/conditions.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import type { Infos } from '../plugins/infos.ts'
import type { Records } from '../plugins/network/key-store.ts'
import { resolveNetwork } from '../plugins/network/settings.ts'
import type { PendingControls } from '../plugins/pending-control.ts'
import { registerProtocol } from '../plugins/register.ts'
import type { LifeHost, NetworkSettings, Services } from '../plugins/services.ts'
import { headerOf, principalOf } from './request.ts'

/** Facts and functions of the host from which a plugin's services are made. */
interface Host {
  readonly accounts: Accounts
  upstream(plugin: string, chainId: string, group: string): Upstream
  endpoints(plugin: string, chainId: string, group: string): readonly Upstream[]
  groupsOf(plugin: string, chainId: string): readonly string[]
  assertGroups(plugin: string, protocol: AnyProtocol, network: NetworkSettings): void
  readonly records: Records
  watchPrice: Services['watchPrice']
  readonly infos: Pick<Infos, 'add'>
  readonly conditions: Pick<Conditions, 'add'>
  readonly pending: Pick<PendingControls, 'of'>
  /** Returns the host's part in the life of a plugin's transactions. */
  lifeOf(plugin: string): LifeHost
  /** Finds the wallets for which a transaction was crafted. */
  craftedFor(transaction: CraftedTransaction): Promise<readonly string[]>
  /** Registers the host's own routes on the scope of a plugin: those of what the host keeps. */
  ownRoutes(scope: FastifyInstance, plugin: LoadedPlugin): void
  now(): Date
}

const headers = Type.Object({
  'x-network': Type.Optional(
    Type.String({
      description:
        "Network: a chain_id of this protocol's /networks, or the same chain by CAIP-2, such as eip155:143. Default: the account's default network.",
    }),
  ),
  'x-identity': Type.Optional(
    Type.String({ description: 'Your own opaque identifier, kept with the request in the audit log. Does not change the response.' }),
  ),
})

/**
 * Registers a plugin's declaration in a scope of its own in the API, where every route is governed, sealed and documented. The function that the package exports is not
 * run: unlike a declaration, it could change the scope, such as an answer after it was checked.
 */
export async function mount(api: FastifyInstance, loaded: LoadedPlugin, host: Host): Promise<void> {
  const { name, plugin } = loaded
  const { prefix } = plugin.protocol
  for (const network of host.accounts.all(name)) host.assertGroups(name, plugin.protocol, network)
  await api.register(
    async (scope) => {
      const protocol = shortName(name)
      scope.addHook('onRequest', (request, _reply, next) => {
        request.note = { ...request.note, protocol }
        const { account } = principalOf(request)
        if (!host.accounts.allows(account, name)) return next(request.server.unknownPath(request))
        // On every route, on one whose answer is the same for all networks too: nobody is to believe that he asked about one that is not there.
        const chain = headerOf(request, 'x-network')
        const network = host.accounts.network(account, name, chain)
        request.network = network
        // The record names it one way, however the caller did.
        if (chain !== undefined) request.note = { ...request.note, network: network.chainId }
        next()
      })
      scope.addHook('onRoute', (route) => govern(route, name, prefix.slice(1)))
      try {
        registerProtocol(plugin.protocol, scope, servicesOf(name, host))
        for (const network of host.accounts.all(name))
          host.accounts.announce(network, plugin.protocol.kit.caip2(resolveNetwork(plugin.protocol, network)))
        host.ownRoutes(scope, loaded)
      } catch (error) {
        if (error instanceof SettingsError) throw error
        const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
        throw new SettingsError(`plugins.${name}: its routes could not be registered: ${why}`, { cause: error })
      }
    },
    { prefix },
  )
}

function servicesOf(
  plugin: string,
  { accounts, craftedFor, upstream, endpoints, groupsOf, records, watchPrice, infos, conditions, pending, lifeOf, now }: Host,
): Services {
  return {
    networks: accounts.all(plugin),
    network: ({ network }) => present(network, 'the network of a request to a protocol'),
    sends: (request) => accounts.sends(principalOf(request).account),
    craftedFor: (request, network, unsignedHash) =>
      craftedFor({ account: principalOf(request).account, protocol: shortName(plugin), network: network.chainId, unsignedHash }),
    enabled: (request) => accounts.enabled(principalOf(request).account, plugin),
    upstream: (chainId, group) => upstream(plugin, chainId, group),
    endpoints: (chainId, group) => endpoints(plugin, chainId, group),
    life: lifeOf(plugin),
    hasEndpoints: (chainId, group) => groupsOf(plugin, chainId).includes(group),
    records,
    watchPrice,
    showInfo: (network, look) => infos.add({ plugin, network, look }),
    showCondition: conditions.add,
    pendingControl: pending.of,
    now,
    seal,
    note: (request, note) => {
      request.note = { ...request.note, ...note }
    },
    intend: (request, note) => request.intend(note),
  }
}

/** Runs for every route of a plugin, its own reads too. @throws at start, so that a server that starts has no other routes */
function govern(route: RouteOptions, plugin: string, tag: string): void {
  const methods = [route.method].flat()
  if (methods.every((method) => method === 'HEAD')) return
  const where = `${plugin}: the route ${methods.join(',')} ${route.url}`
  const { schema } = route
  if (!schema?.response) throw new SettingsError(`${where} has no response schema; every route describes what it answers.`)
  if (!schema.summary) throw new SettingsError(`${where} has no summary; every route says in one line what it is for.`)
  route.config = { ...route.config, sealed: true, protocol: shortName(plugin) }
  schema.tags ??= [tag]
  schema.security ??= [{ apiKey: [] }]
  schema.headers ??= headers
  schema.response = {
    ...membersOf(schema.response),
    404: { ...schemaRef('Error'), description: 'There is nothing under that path, or not for this account.' },
  }
}

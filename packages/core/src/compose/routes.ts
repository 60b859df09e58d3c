import type { FastifyInstance } from 'fastify'
import { registerAudit } from '../audit/routes.ts'
import { shortName } from '../base/short-name.ts'
import { dashboard } from '../dashboard/plugin.ts'
import { createCraftedFor } from '../db/crafted-for.ts'
import { refuseInexact } from '../http/exact-bytes.ts'
import { mount } from '../http/mount.ts'
import { requirePrincipal } from '../http/require-credential.ts'
import { registerSecurityText } from '../http/security-text.ts'
import { registerSession } from '../http/session.ts'
import { registerApiKeys } from '../keys/routes.ts'
import { registerAnnouncements } from '../overview/announcement-routes.ts'
import { registerBooks } from '../overview/book-routes.ts'
import { createPing, registerHealth, registerProbes } from '../overview/health.ts'
import { registerOverview } from '../overview/overview-routes.ts'
import { registerOwnAddresses } from '../overview/own-address-routes.ts'
import { registerPositions } from '../overview/position-routes.ts'
import { registerProtocols } from '../overview/protocol-routes.ts'
import { registerStatements } from '../overview/statement-routes.ts'
import { registerTransactions } from '../overview/transaction-routes.ts'
import { registerWatch } from '../overview/watch-routes.ts'
import type { LoadedPlugin } from '../plugins/discover.ts'
import { registerKeyDirectory, registerPublicKey } from '../signature/public-key.ts'
import { registerDeliveries } from '../webhooks/delivery-routes.ts'
import { registerAlarms, registerEvents } from '../webhooks/event-routes.ts'
import { registerWebhooks } from '../webhooks/routes.ts'
import type { HostExtension, ServerOptions } from './options.ts'
import type { Parts } from './parts.ts'

/**
 * Registers every route: the key directory and the dashboard, then the API, whose requests need a credential.
 *
 * @throws SettingsError when a plugin or its settings do not fit
 */
export async function registerRoutes(parts: Parts, options: ServerOptions): Promise<void> {
  const { app, accounts, audit, life } = parts
  const { config, signer, store } = options
  const vital = { ask: createPing({ store, lateness: life.lateness }), audit }
  registerKeyDirectory(app, signer)
  registerProbes(app, vital)
  if (config.security_txt) registerSecurityText(app, config.security_txt, config.public_url)
  if (options.dashboard !== undefined) await app.register(dashboard, { folder: options.dashboard, intents: options.intents ?? [] })
  await app.register(
    async (api) => {
      api.addHook('onRequest', requirePrincipal(api, accounts))
      api.addHook('onRequest', (_request, _reply, next) => {
        audit.assertRoom()
        next()
      })
      refuseInexact(api)
      registerHealth(api, vital)
      registerOwn(api, parts, options)
      for (const extension of options.extensions ?? []) await registerExtension(api, parts, extension)
      await mountPlugins(api, parts, options)
    },
    { prefix: '/api/v1' },
  )
}

/** Registers the routes that are of no protocol. */
function registerOwn(
  api: FastifyInstance,
  parts: Parts,
  { config, plugins, store, signer, peppers, extensions = [] }: ServerOptions,
): void {
  const {
    accounts,
    audit,
    checker,
    conditions,
    crafts,
    infos,
    life,
    networks,
    now,
    pending,
    prices,
    sharedTime,
    started,
    upstreams,
    version,
    webhooks,
  } = parts
  registerPublicKey(api, signer)
  registerApiKeys(api, { store, checker, peppers, accounts, ...webhooks.forKeys, now: sharedTime })
  registerSession(api, { store, accounts, version, extensions: extensions.map(({ name }) => name) })
  registerAudit(api, { store, accounts, crafts, now })
  registerTransactions(api, { store, accounts, networks })
  registerStatements(api, { store, accounts, networks })
  registerPositions(api, { store, accounts, networks, now: sharedTime })
  const names = plugins.map(({ name }) => name)
  registerOwnAddresses(api, { store, accounts, networks, plugins: names })
  registerAnnouncements(api, { store, accounts, networks, plugins: names, now: sharedTime })
  registerWatch(api, { store, accounts, networks, plugins: names, most: config.life.watched_per_account, now: sharedTime })
  registerOverview(api, {
    ...{ store, accounts, crafts, upstreams, infos, audit, lateness: life.lateness },
    ...{ database: store.dialect, version, started, now },
  })
  const hooks = { desk: webhooks.desk, accounts, protocols: names.map(shortName), now: sharedTime }
  registerWebhooks(api, hooks)
  registerDeliveries(api, hooks)
  registerEvents(api, hooks)
  registerProtocols(api, { plugins, accounts, infos, conditions, pending, watchPrice: prices.watch, now })
}

/** Registers the routes of an extension of the host, hidden from the document. */
async function registerExtension(api: FastifyInstance, { life }: Parts, { name, register }: HostExtension): Promise<void> {
  await api.register(
    async (scope) => {
      scope.addHook('onRoute', (route) => {
        route.schema = { ...route.schema, hide: true }
      })
      await register(scope, life)
    },
    { prefix: `/${name}` },
  )
}

async function mountPlugins(api: FastifyInstance, parts: Parts, { plugins, store }: ServerOptions): Promise<void> {
  const { accounts, conditions, infos, life, networks, now, pending, prices, records, upstreams, webhooks } = parts
  const ownRoutes = (scope: FastifyInstance, plugin: LoadedPlugin) => {
    registerBooks(scope, plugin, { store, accounts, networks })
    registerAlarms(scope, plugin, webhooks)
  }
  const host = {
    accounts,
    ...upstreams,
    records,
    watchPrice: prices.watch,
    infos,
    conditions,
    pending,
    lifeOf: life.hostOf,
    ownRoutes,
    now,
    craftedFor: createCraftedFor(store),
  }
  for (const plugin of plugins) await mount(api, plugin, host)
}

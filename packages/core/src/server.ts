import { type Records, sharedSchemas } from '@svc/contract'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import type { Redis } from 'ioredis'
import { createAccounts } from './accounts.ts'
import { registerApiKeys } from './apikeys.ts'
import { createAudit } from './audit.ts'
import { authentication, identify, requirePrincipal } from './auth.ts'
import { trusts } from './client-address.ts'
import { createConditions } from './conditions.ts'
import type { Config } from './config/schema.ts'
import { dashboard } from './dashboard/plugin.ts'
import type { Store } from './db/store.ts'
import { nextUlid } from './db/ulid.ts'
import type { LoadedPlugin } from './discover.ts'
import { createDrain, type Drain } from './drain.ts'
import { errors } from './errors.ts'
import { createGate } from './gate/gate.ts'
import { registerHealth } from './health.ts'
import { createInfos } from './infos.ts'
import { createChecker } from './keys/checker.ts'
import type { Peppers } from './keys/value.ts'
import { createLife, type Life } from './life/life.ts'
import { createNetworks } from './life/networks.ts'
import { createPulse, type Pulse } from './life/pulse.ts'
import { limit } from './limit/plugin.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { mount } from './mount.ts'
import { openapi } from './openapi/plugin.ts'
import { registerAudit } from './operations/audit.ts'
import { registerOverview } from './operations/overview.ts'
import { registerProtocols } from './operations/protocols.ts'
import { tidyCounts } from './operations/tidy.ts'
import { registerTransactions } from './operations/transactions.ts'
import { registerWatch } from './operations/watch.ts'
import { paths } from './paths.ts'
import { createPrices } from './prices/prices.ts'
import { registerKeyDirectory, registerPublicKey } from './public-key.ts'
import './request.ts'
import { auditHooks } from './audit-hooks.ts'
import { isIntact } from './sealed.ts'
import { registerSession } from './session.ts'
import { shortName } from './short-name.ts'
import { signatures } from './signature/plugin.ts'
import { signedServerOptions } from './signature/refusals.ts'
import type { Signer } from './signature/signer.ts'
import { createUpstreams } from './upstreams.ts'
import { validation } from './validation.ts'
import { registerDeliveries } from './webhooks/delivery-routes.ts'
import { registerWebhooks } from './webhooks/routes.ts'
import { createWebhooks, type WebhookTuning } from './webhooks/service.ts'

export interface ServerOptions {
  readonly config: Config
  readonly plugins: readonly LoadedPlugin[]
  readonly store: Store
  readonly signer: Signer
  readonly peppers: Peppers
  /** Shares the limits between replicas; without it each counts for itself. */
  readonly redis?: Redis
  /** Folder of the built dashboard, to be served at `/dashboard`; without it there is none. */
  readonly dashboard?: string
  /** Version shown in the OpenAPI document. */
  readonly version?: string
  readonly logger?: FastifyServerOptions['logger']
  readonly metrics?: Metrics
  /** How it is stopped. */
  readonly drain?: Drain
  /** Wall clock. */
  readonly now?: () => Date
  /** What makes it look whether something is due that it follows. @default each second */
  readonly pulse?: Pulse
  /** Routes of the host's own under `/api/v1/sandbox`: those of local chains, which the document leaves out. Left out, nothing is there. */
  readonly sandbox?: (api: FastifyInstance, life: Pick<Life, 'turned'>) => Promise<void>
  /** What upstream calls are made with. @default the global fetch */
  readonly fetch?: typeof fetch
  /** How webhooks are sent, where that is to be seen sooner than in days. */
  readonly webhooks?: WebhookTuning
}

/**
 * The service, ready to listen. Reads in the order of a request's life: signature around everything, errors, documentation; then, in the
 * API's scope, identify, limit, require.
 *
 * @throws SettingsError when a plugin or its settings do not fit
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const {
    config,
    plugins,
    store,
    signer,
    peppers,
    redis,
    version = '0.0.0',
    metrics = createMetrics(),
    now = () => new Date(),
    sandbox,
  } = options
  const refusals = 'svc_refused_connections_total'
  const gate = createGate({
    signer,
    inFlight: config.limits.in_flight,
    perConnection: config.limits.in_flight_per_connection,
    writeMs: config.limits.write_timeout_ms,
    requestMs: 30_000,
    health: '/api/v1/health',
    refused: (reason) =>
      metrics.count(refusals, 'Requests and connections that were turned away before anything was run for them.', { reason }),
  })
  const app: FastifyInstance = Fastify({
    ...signedServerOptions(signer),
    serverFactory: gate.serverFactory,
    logger: options.logger ?? { level: config.log_level },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trusts(config.trusted_proxies),
    // Fastify gives each part of a start 10 s, which a machine that starts much else at once can take.
    // https://fastify.dev/docs/latest/Reference/Server/#plugintimeout (read 2026-11-24)
    pluginTimeout: 60_000,
    bodyLimit: config.limits.body_bytes,
    genReqId: () => nextUlid(now().getTime()),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
  const log: FastifyBaseLogger = app.log
  const { drain = createDrain() } = options
  drain.watch(app)
  const accounts = createAccounts(config)
  const audit = createAudit({ store, log })
  // By one clock in all replicas, so that a key ends for all of them at once.
  const keyTime = options.now ?? store.now
  const checker = createChecker({ store, peppers, log, now: keyTime })
  const upstreams = createUpstreams({ config, log, metrics, ...(options.fetch ? { fetch: options.fetch } : {}) })
  const records: Records = { read: store.readRecord, write: (place, key, text) => store.writeRecord(place, key, text, now()) }
  const infos = createInfos()
  const conditions = createConditions()
  // By one clock in all replicas, too.
  const networks = createNetworks(accounts)
  const webhooks = createWebhooks({
    ...options.webhooks,
    store,
    settings: config.webhooks,
    peppers,
    log,
    metrics,
    version,
    time: keyTime,
    now: options.now,
  })
  const life = createLife({
    ...{ store, events: webhooks.events, networks, accounts, conditions, metrics, log, settings: config.life },
    now: keyTime,
    clock: options.now,
    pulse: options.pulse ?? createPulse(),
  })
  const started = now()
  const endTidying = tidyCounts(store, now, log)
  const prices = createPrices({ source: upstreams.priceSource, records, log, now })
  app.addHook('onReady', async () => {
    prices.start()
    life.start()
    webhooks.start()
  })
  app.addHook('onClose', async () => {
    await life.close()
    await webhooks.close()
    prices.close()
    endTidying()
    upstreams.close()
    await checker.close()
    await audit.close()
  })
  metrics.gauge('svc_requests_under_way', 'Requests that are not answered to the last byte.', () => gate.underWay)
  metrics.gauge('svc_audit_unsaved', 'Audit records that are not saved yet.', () => audit.depth)

  try {
    // Before the signature, which refuses some requests itself: those too carry an id, have their note, and end in the log.
    // Hooks that wait for nothing take a callback: a promise each would cost more than what they do.
    app.addHook('onRequest', (request, reply, next) => {
      reply.header('x-request-id', request.id)
      // Nearly everything is for one caller or of one moment; what is neither says so itself.
      reply.header('cache-control', 'no-store')
      next()
    })
    const mismatches = (by: number) =>
      metrics.count(
        'svc_decode_mismatches_total',
        'Crafted transactions that were withheld, since their bytes were not what was asked.',
        {},
        by,
      )
    // From the start, so that an alert on its growth sees the first.
    mismatches(0)
    await app.register(errors, { mismatched: () => mismatches(1) })
    await app.register(validation)
    await app.register(auditHooks, { audit, life: life.records, now, events: webhooks.events })
    await app.register(signatures, {
      signer,
      admit: gate.admit,
      replaced: (request, reply, body) => (isIntact(request, reply, body) ? null : request.withhold(reply)),
    })
    app.addHook('onResponse', (request, reply, next) => {
      const route = request.routeOptions.url ?? 'unknown'
      metrics.http(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
      const { principal } = request
      const who = principal ? { account: principal.account, credential: principal.ulid } : {}
      request.log.info({ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...who }, 'answered')
      next()
    })
    await app.register(paths, { plugins, accounts })
    for (const schema of sharedSchemas) app.addSchema(schema)
    await app.register(openapi, {
      plugins,
      version,
      publicUrl: config.public_url,
      networksOf: (plugin) => accounts.all(plugin).map(({ chainId }) => chainId),
    })
    await app.register(authentication)
    await app.register(limit, {
      principal: (request) => request.principal?.ulid ?? null,
      max: {
        key: config.limits.key_per_minute,
        address: config.limits.address_per_minute,
        console: config.limits.console_per_minute,
      },
      ipv6Prefix: config.limits.ipv6_prefix,
      ...(redis ? { redis } : {}),
    })

    // For every route in every scope, and for what is none: that is refused before its body is read, and counts as everything does.
    app.addHook('onRequest', identify(checker))
    app.addHook('onRequest', app.countRequest)
    app.addHook('onRequest', (request, _reply, next) => next(request.is404 ? app.unknownPath(request) : undefined))
    // For a route that finds out by itself, such as the console's files.
    app.setNotFoundHandler((request) => {
      throw app.unknownPath(request)
    })

    registerKeyDirectory(app, signer)
    if (options.dashboard !== undefined) await app.register(dashboard, { folder: options.dashboard })
    await app.register(
      async (api) => {
        api.addHook('onRequest', requirePrincipal(api, accounts))
        api.addHook('onRequest', (_request, _reply, next) => {
          audit.assertRoom()
          next()
        })
        registerHealth(api, { store, audit })
        registerPublicKey(api, signer)
        registerApiKeys(api, { store, checker, peppers, accounts, ...webhooks.forKeys, now: keyTime })
        registerSession(api, { store, accounts, version, sandbox: sandbox !== undefined })
        registerAudit(api, { store, accounts, now })
        registerTransactions(api, { store, accounts, networks })
        registerWatch(api, {
          ...{ store, accounts, networks, plugins: plugins.map(({ name }) => name) },
          most: config.life.watched_per_account,
          now: keyTime,
        })
        registerOverview(api, { store, accounts, upstreams, infos, audit, database: store.dialect, version, started, now })
        const hooks = { desk: webhooks.desk, accounts, protocols: plugins.map(({ name }) => shortName(name)), now: keyTime }
        registerWebhooks(api, hooks)
        registerDeliveries(api, hooks)
        registerProtocols(api, { plugins, accounts, infos, conditions, watchPrice: prices.watch, now })
        if (sandbox)
          await api.register(
            async (scope) => {
              // The document is of every service of this version, and these are of one kind of it.
              scope.addHook('onRoute', (route) => {
                route.schema = { ...route.schema, hide: true }
              })
              await sandbox(scope, life)
            },
            { prefix: '/sandbox' },
          )
        for (const plugin of plugins)
          await mount(api, plugin, {
            accounts,
            ...upstreams,
            records,
            watchPrice: prices.watch,
            infos,
            conditions,
            lifeOf: life.hostOf,
            now,
          })
      },
      { prefix: '/api/v1' },
    )
    await app.ready()
    return app
  } catch (error) {
    await app.close()
    throw error
  }
}

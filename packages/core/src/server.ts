import { sharedSchemas } from '@svc/contract'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify'
import type { Redis } from 'ioredis'
import { createAccounts } from './accounts.ts'
import { registerApiKeys } from './apikeys.ts'
import { createAudit } from './audit.ts'
import { authentication, identify, requirePrincipal } from './auth.ts'
import type { Config } from './config/schema.ts'
import type { Store } from './db/store.ts'
import { nextUlid } from './db/ulid.ts'
import type { LoadedPlugin } from './discover.ts'
import { createDrain, type Drain } from './drain.ts'
import { errors } from './errors.ts'
import { registerHealth } from './health.ts'
import { createChecker } from './keys/checker.ts'
import type { Peppers } from './keys/value.ts'
import { limit } from './limit/plugin.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { mount, unknownPath } from './mount.ts'
import { openapi } from './openapi.ts'
import { registerPublicKey } from './public-key.ts'
import './request.ts'
import { signatures } from './signature/plugin.ts'
import { signedServerOptions } from './signature/refusals.ts'
import type { Signer } from './signature/signer.ts'
import { trail } from './trail.ts'
import { createUpstreams } from './upstreams.ts'
import { validation } from './validation.ts'

export interface ServerOptions {
  readonly config: Config
  readonly plugins: readonly LoadedPlugin[]
  readonly store: Store
  readonly signer: Signer
  readonly peppers: Peppers
  /** Shares the limits between replicas; without it each counts for itself. */
  readonly redis?: Redis
  /** Version shown in the OpenAPI document. */
  readonly version?: string
  readonly logger?: FastifyServerOptions['logger']
  readonly metrics?: Metrics
  /** How it is stopped. */
  readonly drain?: Drain
  /** Wall clock. */
  readonly now?: () => Date
  /** What upstream calls are made with. @default the global fetch */
  readonly fetch?: typeof fetch
}

/**
 * The service, ready to listen. Reads in the order of a request's life: signature around everything, errors, documentation; then, in the
 * API's scope, identify, limit, require.
 *
 * @throws SettingsError when a plugin or its settings do not fit
 */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { config, plugins, store, signer, peppers, redis, version = '0.0.0', metrics = createMetrics(), now = () => new Date() } = options
  const signed = signedServerOptions(signer)
  const app: FastifyInstance = Fastify({
    ...signed,
    http: { ...signed.http, requestTimeout: 30_000 },
    logger: options.logger ?? { level: config.log_level },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trusted_proxies.length > 0 ? config.trusted_proxies : false,
    bodyLimit: config.limits.body_bytes,
    genReqId: () => nextUlid(Date.now()),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
  const log = app.log as FastifyBaseLogger
  const { drain = createDrain() } = options
  drain.watch(app)
  const accounts = createAccounts(config)
  const audit = createAudit({ store, log })
  const checker = createChecker({ store, peppers, log, now })
  const upstreams = createUpstreams({ config, log, metrics, ...(options.fetch ? { fetch: options.fetch } : {}) })
  app.addHook('onClose', async () => {
    upstreams.close()
    await checker.close()
    await audit.close()
  })
  metrics.gauge('svc_audit_unsaved', 'Audit records that are not saved yet.', () => audit.depth)

  try {
    // Before the signature, which refuses some requests itself: those too carry an id, have their note, and end in the log.
    // Hooks that wait for nothing take a callback: a promise each would cost more than what they do.
    app.addHook('onRequest', (request, reply, next) => {
      reply.header('x-request-id', request.id)
      next()
    })
    await app.register(errors)
    await app.register(validation)
    await app.register(trail, { audit, now })
    await app.register(signatures, { signer })
    app.addHook('onResponse', (request, reply, next) => {
      const route = request.routeOptions.url ?? 'unknown'
      metrics.http(request.method, route, reply.statusCode, reply.elapsedTime / 1000)
      const { principal } = request
      const who = principal ? { account: principal.account, credential: principal.ulid } : {}
      request.log.info({ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...who }, 'answered')
      next()
    })
    for (const schema of sharedSchemas) app.addSchema(schema)
    await app.register(openapi, { plugins, version })
    await app.register(authentication)
    await app.register(limit, {
      principal: (request) => request.principal?.ulid ?? null,
      max: { key: config.limits.key_per_minute, address: config.limits.address_per_minute },
      ...(redis ? { redis } : {}),
    })

    const identified = identify(checker)
    const limited = app.rateLimit() as (request: FastifyRequest, reply: FastifyReply) => Promise<void>
    // What is not there is refused before its body is read, and counts as everything does.
    const refuseUnknown = async (request: FastifyRequest, reply: FastifyReply) => {
      await identified(request)
      await limited.call(app, request, reply)
      throw unknownPath(request)
    }
    app.addHook('onRequest', (request, reply, next) => {
      if (request.is404) refuseUnknown(request, reply).catch(next)
      else next()
    })
    // For a route that finds out by itself, such as the console's files.
    app.setNotFoundHandler((request) => {
      throw unknownPath(request)
    })

    await app.register(
      async (api) => {
        api.addHook('onRequest', identified)
        api.addHook('onRequest', async function (request, reply) {
          if (request.routeOptions.config.limited !== false) await limited.call(this, request, reply)
        })
        api.addHook('onRequest', requirePrincipal(api, accounts))
        api.addHook('onRequest', (_request, _reply, next) => {
          audit.assertRoom()
          next()
        })
        registerHealth(api, store)
        registerPublicKey(api, signer)
        registerApiKeys(api, { store, checker, peppers, now })
        for (const plugin of plugins) await mount(api, plugin, { accounts, ...upstreams, now })
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

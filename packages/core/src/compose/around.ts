import { auditHooks } from '../audit/hooks.ts'
import { trusts } from '../base/client-address.ts'
import { isIntact } from '../base/seal.ts'
import { continueWhenRead } from '../http/continue.ts'
import { errors } from '../http/errors.ts'
import { identify } from '../http/identify.ts'
import { paths } from '../http/paths.ts'
import { authentication } from '../http/require-credential.ts'
import { requestSpans } from '../http/tracing.ts'
import { validation } from '../http/validation.ts'
import { limit } from '../limit/plugin.ts'
import { openapi } from '../openapi/plugin.ts'
import { sharedSchemas } from '../plugins/routes/schemas.ts'
import { signatures } from '../signature/plugin.ts'
import type { ServerOptions } from './options.ts'
import type { Parts } from './parts.ts'

/** Surrounds every route with what holds for all: request id, errors, validation, audit, signature, log, documentation, identity and limits, in this order. */
export async function surround(parts: Parts, { config, plugins, signer, redis, tracing }: ServerOptions): Promise<void> {
  const { app, accounts, audit, checker, gate, life, metrics, now, own, version, webhooks } = parts
  await app.register(requestSpans, { tracing, trusts: trusts(config.trusted_proxies) })
  // Before the signature, which refuses some requests itself: those too carry an id, have their note, and end in the log.
  // Hooks that wait for nothing take a callback: a promise each would cost more than what they do.
  app.addHook('onRequest', (request, reply, next) => {
    reply.header('x-request-id', request.id)
    // Nearly everything is for one caller or of one moment; what is neither says so itself.
    reply.header('cache-control', 'no-store')
    request.arrivedAt = performance.now()
    request.note = {}
    next()
  })
  await app.register(errors, { mismatched: own.mismatched })
  await app.register(validation)
  continueWhenRead(app)
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
    const trace = request.span ? { trace_id: request.span.traceId } : {}
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ...who, ...trace },
      'answered',
    )
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
    ...(tracing ? { tracing } : {}),
  })

  // For every route in every scope, and for what is none: that is refused before its body is read, and counts as everything does.
  app.addHook('onRequest', identify(checker))
  app.addHook('onRequest', app.countRequest)
  app.addHook('onRequest', (request, _reply, next) => next(request.is404 ? app.unknownPath(request) : undefined))
  // For a route that finds out by itself, such as the console's files.
  app.setNotFoundHandler((request) => {
    throw app.unknownPath(request)
  })
}

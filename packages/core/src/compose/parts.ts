import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { createAudit } from '../audit/audit.ts'
import { tidyCounts } from '../audit/tidy-counts.ts'
import { trusts } from '../base/client-address.ts'
import { createMetrics } from '../base/metrics.ts'
import { routedUrl } from '../base/text-amounts.ts'
import { createChecker } from '../credentials/checker.ts'
import { nextUlid } from '../db/ulid.ts'
import { craftsOf } from '../db/words.ts'
import { createGate, type Gate } from '../gate/gate.ts'
import { createDrain } from '../http/drain.ts'
import { createBookStream } from '../ledger/book-stream.ts'
import { positionRead } from '../ledger/position-read.ts'
import { createLife } from '../life/life.ts'
import { createNetworks } from '../life/networks.ts'
import { createPulse } from '../life/pulse.ts'
import { LIVEZ, READYZ } from '../overview/health.ts'
import { createAccounts } from '../plugins/accounts.ts'
import { createConditions } from '../plugins/conditions.ts'
import { createInfos } from '../plugins/infos.ts'
import type { Records } from '../plugins/network/key-store.ts'
import { createPendingControls } from '../plugins/pending-control.ts'
import { createPrices } from '../prices/prices.ts'
import { createUpstreams } from '../rpc/upstreams.ts'
import { signedServerOptions } from '../signature/refusals.ts'
import { createWebhooks } from '../webhooks/service.ts'
import type { ServerOptions } from './options.ts'
import { createOwnMetrics, type OwnMetrics } from './own-metrics.ts'

/** Longest time that records are gathered for the embedded database, whose write with its flush takes 0.4 ms of this process and of a slow disk 6 (2026-11-25). */
const SQLITE_PAUSE_MS = 5

/** Parts of one service, each made once. */
export type Parts = ReturnType<typeof createParts>

/**
 * Makes the parts of a service. None of them works before `app` is ready, and each is closed with `app`.
 *
 * @throws SettingsError when the settings of an account or an endpoint do not fit
 */
export function createParts(options: ServerOptions) {
  const { config, plugins, store, peppers, version = '0.0.0', metrics = createMetrics(), now = () => new Date() } = options
  const own = createOwnMetrics(metrics, version)
  const gate = createServiceGate(options, own)
  const app = createApp(options, gate, now)
  const { log } = app
  const { drain = createDrain() } = options
  drain.watch(app)
  const accounts = createAccounts(config)
  const audit = createAudit({ store, log, mostPauseMs: store.dialect === 'sqlite' ? SQLITE_PAUSE_MS : 0 })
  // One clock for all replicas, so that a key ends for all of them at once.
  const sharedTime = options.now ?? store.now
  const checker = createChecker({ store, peppers, log, now: sharedTime })
  const upstreams = createUpstreams({
    config,
    log,
    metrics,
    tracing: options.tracing,
    now: options.now,
    ...(options.fetch ? { fetch: options.fetch } : {}),
  })
  const records: Records = { read: store.readRecord, write: (place, key, text) => store.writeRecord(place, key, text, now()) }
  const conditions = createConditions()
  const pending = createPendingControls()
  const networks = createNetworks(accounts)
  const webhooks = createWebhooks({
    ...{ ...options.webhooks, store, settings: config.webhooks, peppers, log, metrics, version },
    ...{ time: sharedTime, now: options.now },
  })
  const life = createLife({
    ...{ store, events: webhooks.events, networks, accounts, conditions, pending, metrics, log, settings: config.life },
    ...{ now: sharedTime, clock: options.now, pulse: options.pulse ?? createPulse() },
    ledger: { stream: createBookStream, positionRead },
  })
  const prices = createPrices({ source: upstreams.priceSource, records, log, now })
  const parts = {
    app,
    gate,
    metrics,
    own,
    accounts,
    audit,
    checker,
    upstreams,
    records,
    conditions,
    pending,
    networks,
    webhooks,
    life,
    prices,
  }
  whileItRuns(parts, tidyCounts(store, now, log))
  return { ...parts, infos: createInfos(), crafts: craftsOf(plugins), started: now(), now, sharedTime, version }
}

/** Starts what works by itself when the service is ready, and ends it with the service. */
function whileItRuns(
  {
    app,
    gate,
    own,
    audit,
    checker,
    upstreams,
    webhooks,
    life,
    prices,
  }: Pick<Parts, 'app' | 'gate' | 'own' | 'audit' | 'checker' | 'upstreams' | 'webhooks' | 'life' | 'prices'>,
  endTidying: () => void,
): void {
  app.addHook('onReady', async () => {
    prices.start()
    await life.start()
    webhooks.start()
  })
  app.addHook('onClose', async () => {
    // At once: while what is followed comes to its end, no more deliveries are begun.
    await Promise.all([life.close(), webhooks.close()])
    prices.close()
    endTidying()
    upstreams.close()
    await checker.close()
    await audit.close()
  })
  own.watch(gate, audit)
}

function createServiceGate({ signer, config }: ServerOptions, own: OwnMetrics): Gate {
  return createGate({
    signer,
    inFlight: config.limits.in_flight,
    perConnection: config.limits.in_flight_per_connection,
    writeMs: config.limits.write_timeout_ms,
    requestMs: 30_000,
    health: ['/api/v1/health', LIVEZ, READYZ],
    refused: own.refused,
  })
}

function createApp({ config, signer, logger }: ServerOptions, gate: Gate, now: () => Date): FastifyInstance {
  return Fastify({
    ...signedServerOptions(signer),
    serverFactory: gate.serverFactory,
    logger: logger ?? { level: config.log_level },
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trusts(config.trusted_proxies),
    // Fastify gives each part of a start 10 s, which a machine that starts much else at once can take.
    // https://fastify.dev/docs/latest/Reference/Server/#plugintimeout (read 2026-11-24)
    pluginTimeout: 60_000,
    bodyLimit: config.limits.body_bytes,
    rewriteUrl: routedUrl,
    genReqId: () => nextUlid(now().getTime()),
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: true },
  })
}

import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, resolve } from 'node:path'
import { isServiceError, membersOf, type ServiceError, SettingsError } from '@svc/contract'
import type { FastifyInstance } from 'fastify'
import { listenUrl } from './base/listen-url.ts'
import { createMetrics, type Metrics, RARE_COUNTERS } from './base/metrics.ts'
import { loadTracing } from './base/opentelemetry.ts'
import type { LoadedConfig } from './config/load.ts'
import { judgePeppers } from './credentials/peppers.ts'
import { findDashboard } from './dashboard/find.ts'
import { findIntents, NO_INTENTS } from './dashboard/intents.ts'
import { prepareDataFolder } from './db/data-folder.ts'
import { dataInUse, lockDataFolder } from './db/lock.ts'
import { openStore } from './db/open.ts'
import type { Log, Store } from './db/store.ts'
import { traceStore } from './db/traced-store.ts'
import { createDrain, type UnderWay } from './http/drain.ts'
import { connectLimits } from './limit/redis.ts'
import { discover, foldersOf, installedPlugins, type LoadedPlugin } from './plugins/discover.ts'
import { pingRedis } from './redis/redis.ts'
import { createServer, type ServerOptions } from './server.ts'
import { createSigner, type Signer } from './signature/signer.ts'
import { loadSecrets, type Secrets } from './state/secrets.ts'
import { STALL_MS, watchMainThread } from './watchdog/watchdog.ts'
import { stallWords } from './watchdog/words.ts'

/** A running service. */
export interface Service {
  readonly app: FastifyInstance
  readonly store: Store
  readonly signer: Signer
  readonly secrets: Secrets
  readonly plugins: readonly LoadedPlugin[]
  /** Address on which the service listens. */
  readonly address: string
  /** Requests that are not answered yet. */
  underWay(): readonly UnderWay[]
  /** Lets the requests under way end, saves what is not saved, and frees everything. */
  close(): Promise<void>
}

/** Besides what the server itself is told. */
export interface StartOptions extends Pick<ServerOptions, 'logger' | 'version' | 'now' | 'fetch' | 'extensions'> {
  /** Time that a connection without a request stays open for a last request while the service stops, in milliseconds. @default 0 */
  readonly idleMs?: number
  /** True if the service may start on a database whose keys it would all refuse, as a sandbox that makes its own keys may. @default false */
  readonly amongStrangers?: boolean
  /** From how long on it is told that nothing was answered, in milliseconds. @default STALL_MS */
  readonly stallMs?: number
  /** The process that this one is a worker of; without it this one does all by itself. */
  readonly host?: Host
}

/** Does for a worker what processes that follow one another, or serve beside one another, can only do once. */
export interface Host {
  /** Holds the data folder for all of them. @returns false: another server has it */
  holdDataFolder(folder: string): Promise<boolean>
  /** Serves the counters of all of them. @throws Error when it cannot listen there */
  serveMetrics(metrics: Metrics, place: { readonly host: string; readonly port: number }): Promise<void>
  /** Has the last word before the service listens. @throws to have it not listen */
  beforeListening(app: FastifyInstance): Promise<void>
}

/**
 * Starts the service that a config describes: state, secrets, plugins and server, in this order. When a step fails, those before it are undone.
 *
 * @throws SettingsError or ServiceError with a sentence for the operator
 */
export async function start({ config, file, places }: LoadedConfig, options: StartOptions = {}): Promise<Service> {
  const dataDir = resolve(dirname(file), config.data_dir)
  const undo: (() => unknown)[] = []
  const early = earlyLog()
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const plugins = await discover(config, places)
    const secrets = await loadSecrets(config, dataDir)
    if (!config.database_url) undo.push(await holdDataFolder(dataDir, options.host))
    const [privateKeyPem, ...further] = secrets.signingKeys
    const signer = createSigner({ privateKeyPem, further, responseKeys: secrets.responseKeys, publicUrl: config.public_url })
    const tracing = await loadTracing(options.version ?? '0.0.0')
    const opened = await openStore({ databaseUrl: config.database_url, dataDir, log: early.log, serves: true })
    undo.push(() => opened.close())
    const store = tracing ? traceStore(opened, tracing) : opened
    const { refusal, warning } = judgePeppers(await store.countPeppers(), secrets.peppers)
    if (refusal !== undefined && !options.amongStrangers) throw new SettingsError(refusal)
    const noRedis = config.redis_url ? await pingRedis(config.redis_url).catch(unlessUnreachable) : undefined
    const redis = config.redis_url ? connectLimits(config.redis_url) : undefined
    if (redis) undo.push(() => redis.disconnect())
    const metrics = createMetrics()
    const drain = createDrain(options.idleMs)
    const page = findDashboard(places)
    const intents = page?.built ? await findIntents(places) : NO_INTENTS
    const app = await createServer({
      ...options,
      ...(page?.built ? { dashboard: page.folder, intents: intents.scripts } : {}),
      config,
      plugins,
      store,
      signer,
      peppers: secrets.peppers,
      metrics,
      drain,
      ...(redis ? { redis } : {}),
      ...(tracing ? { tracing } : {}),
    })
    undo.push(() => app.close())
    early.passTo(app.log)
    undo.push(watchForStalls(app, plugins, metrics, options))
    if (refusal ?? warning) app.log.warn(refusal ?? warning)
    if (page && !page.built)
      app.log.info({ folder: page.folder }, 'the dashboard is installed, but not built: pnpm --filter @svc/dashboard build')
    for (const fault of intents.faults) app.log.warn(fault)
    if (noRedis) app.log.warn(`${noRedis.message} Each instance limits on its own until it does.`)
    app.log.info({ publicKey: signer.publicKeyPem, responseKey: signer.responses.keyId }, 'every response is signed; these keys verify it')
    if (tracing) app.log.info('requests are traced: an SDK of OpenTelemetry is registered in this process')
    for (const { name, version, plugin } of plugins)
      app.log.info(
        { plugin: name, version, prefix: plugin.protocol.prefix, networks: Object.keys(config.plugins[name]?.networks ?? {}) },
        'plugin ready',
      )
    for (const { name } of await installedPlugins(places))
      if (!config.plugins[name]) app.log.info({ plugin: name }, 'installed, but the config names no network for it')
    if (config.metrics) {
      if (options.host) await options.host.serveMetrics(metrics, config.metrics)
      else undo.push(await serveMetrics(metrics, config.metrics))
      metrics.watchProcess()
    }
    await options.host?.beforeListening(app)
    await app.listen(config.listen)
    const bound = app.server.address() as AddressInfo
    const address = listenUrl(bound.address, bound.port)
    return { app, store, signer, secrets, plugins, address, underWay: drain.underWay, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** @returns what frees it */
async function holdDataFolder(folder: string, host: Host | undefined): Promise<() => void> {
  if (!host) return lockDataFolder(folder).release
  prepareDataFolder(folder)
  if (!(await host.holdDataFolder(folder))) throw dataInUse(folder)
  return () => {}
}

/** Tells when one thing kept the process from everything else, and whose it was. @returns what ends it */
function watchForStalls(
  { log }: FastifyInstance,
  plugins: readonly LoadedPlugin[],
  metrics: Metrics,
  { logger, stallMs = STALL_MS }: StartOptions,
): () => void {
  const count = (plugin: string, by: number) =>
    metrics.count(RARE_COUNTERS.stalls, 'Times in which nothing was answered, by the plugin that kept the process.', { plugin }, by)
  // From the start, so that an alert on its growth sees the first.
  count('none', 0)
  return watchMainThread({
    folders: foldersOf(plugins),
    log: logOf(logger),
    stallMs,
    onStall(stall) {
      count(stall.plugin ?? 'none', 1)
      log.error(stall, stallWords(stall, true))
    },
  })
}

/** Returns the file descriptor that a log is written to: 1 but where a stream of another one is given; undefined for a stream without one, and for no log. */
function logOf(logger: StartOptions['logger']): number | undefined {
  if (logger === false) return undefined
  const { stream } = membersOf(logger)
  if (stream === undefined) return 1
  const { fd } = membersOf(stream)
  return typeof fd === 'number' ? fd : undefined
}

/** Lets limits begin without Redis: returns its refusal, and throws every other error; limits are shared as soon as Redis answers. */
function unlessUnreachable(error: unknown): ServiceError {
  if (isServiceError(error)) return error
  throw error
}

/** Makes the log of the database until the server has its own; notices before that say nothing that an error would not. */
function earlyLog(): { readonly log: Log; passTo(log: Log): void } {
  let target: Log | undefined
  return {
    log: {
      debug: (details, message) => target?.debug(details, message),
      info: (details, message) => target?.info(details, message),
      warn: (details, message) => target?.warn(details, message),
      error: (details, message) => target?.error(details, message),
    },
    passTo(log) {
      target = log
    },
  }
}

async function serveMetrics(metrics: Metrics, { host, port }: { host: string; port: number }): Promise<() => Promise<void>> {
  const server: Server = createHttpServer((_request, response) => {
    metrics.render().then(
      (text) => response.setHeader('content-type', metrics.contentType).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((done, failed) => server.once('error', failed).listen(port, host, done))
  return () =>
    new Promise((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
}

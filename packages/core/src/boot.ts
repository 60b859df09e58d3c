import { createServer as createHttpServer, type Server } from 'node:http'
import { dirname, resolve } from 'node:path'
import { isServiceError, type ServiceError, SettingsError } from '@svc/contract'
import type { FastifyInstance } from 'fastify'
import type { LoadedConfig } from './config/load.ts'
import { findDashboard } from './dashboard/find.ts'
import { lockDataFolder } from './db/lock.ts'
import { openStore } from './db/open.ts'
import type { Log, Store } from './db/store.ts'
import { discover, installedPlugins, type LoadedPlugin } from './discover.ts'
import { createDrain, type UnderWay } from './drain.ts'
import { judgePeppers } from './keys/peppers.ts'
import { connectLimits } from './limit/redis.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { pingRedis } from './redis.ts'
import { loadSecrets, type Secrets } from './secrets.ts'
import { createServer, type ServerOptions } from './server.ts'
import { createSigner, type Signer } from './signature/signer.ts'

/** A running service. */
export interface Service {
  readonly app: FastifyInstance
  readonly store: Store
  readonly signer: Signer
  readonly secrets: Secrets
  readonly plugins: readonly LoadedPlugin[]
  /** Where it listens. */
  readonly address: string
  /** Requests that are not answered yet. */
  underWay(): readonly UnderWay[]
  /** Lets the requests under way end, saves what is not saved, and frees everything. */
  close(): Promise<void>
}

/** Besides what the server itself is told. */
export interface StartOptions extends Pick<ServerOptions, 'logger' | 'version' | 'now' | 'fetch' | 'sandbox'> {
  /** How long, while stopping, a connection without a request stays open for a last one, in milliseconds. @default 0 */
  readonly idleMs?: number
  /** Whether it starts on a database whose keys it would all refuse, as a sandbox that makes its own may. @default false */
  readonly amongStrangers?: boolean
}

/**
 * Starts the service that a config describes: state, secrets, plugins, server, in this order; what was started is stopped again when a
 * later step fails.
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
    if (!config.database_url) {
      const lock = lockDataFolder(dataDir)
      undo.push(() => lock.release())
    }
    const [privateKeyPem, ...further] = secrets.signingKeys
    const signer = createSigner({ privateKeyPem, further, responseKeys: secrets.responseKeys, publicUrl: config.public_url })
    const store = await openStore({ databaseUrl: config.database_url, dataDir, log: early.log, thorough: true })
    undo.push(() => store.close())
    const { refusal, warning } = judgePeppers(await store.countPeppers(), secrets.peppers)
    if (refusal !== undefined && !options.amongStrangers) throw new SettingsError(refusal)
    const noRedis = config.redis_url ? await pingRedis(config.redis_url).catch(unlessUnreachable) : undefined
    const redis = config.redis_url ? connectLimits(config.redis_url) : undefined
    if (redis) undo.push(() => redis.disconnect())
    const metrics = createMetrics()
    const drain = createDrain(options.idleMs)
    const page = findDashboard(places)
    const app = await createServer({
      ...options,
      ...(page?.built ? { dashboard: page.folder } : {}),
      config,
      plugins,
      store,
      signer,
      peppers: secrets.peppers,
      metrics,
      drain,
      ...(redis ? { redis } : {}),
    })
    undo.push(() => app.close())
    early.passTo(app.log)
    if (refusal ?? warning) app.log.warn(refusal ?? warning)
    if (page && !page.built)
      app.log.info({ folder: page.folder }, 'the dashboard is installed, but not built: pnpm --filter @svc/dashboard build')
    if (noRedis) app.log.warn(`${noRedis.message} Each instance limits on its own until it does.`)
    app.log.info({ publicKey: signer.publicKeyPem, responseKey: signer.responses.keyId }, 'every response is signed; these keys verify it')
    for (const { name, version, plugin } of plugins)
      app.log.info(
        { plugin: name, version, prefix: plugin.protocol.prefix, networks: Object.keys(config.plugins[name]?.networks ?? {}) },
        'plugin ready',
      )
    for (const { name } of await installedPlugins(places))
      if (!config.plugins[name]) app.log.info({ plugin: name }, 'installed, but the config names no network for it')
    if (config.metrics) undo.push(await serveMetrics(metrics, config.metrics))
    const address = await app.listen(config.listen)
    return { app, store, signer, secrets, plugins, address, underWay: drain.underWay, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** What limits can begin without; they are shared as soon as Redis answers. */
function unlessUnreachable(error: unknown): ServiceError {
  if (isServiceError(error)) return error
  throw error
}

/** The database is opened before there is a server's log; its notices until then say nothing that an error would not. */
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
  metrics.watchProcess()
  return () =>
    new Promise((done) => {
      server.close(() => done())
      server.closeAllConnections()
    })
}

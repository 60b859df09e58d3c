import { setImmediate as nextTurn } from 'node:timers/promises'
import { discover, type Host, type LoadedConfig, type Metrics, start } from '@svc/core'
import { cannotListen, Refusal } from '../cli/refusal.ts'
import { clockWarning } from '../clock.ts'
import { doubtsOf } from '../endpoint-report.ts'
import { inspectEndpoints } from '../endpoints.ts'
import { version } from '../home.ts'
import { noProtocol } from '../no-protocol.ts'
import { hopeless, lacksOf } from '../requirement-words.ts'
import { faultOf } from './fault.ts'
import type { Order } from './messages.ts'
import { portText } from './ports.ts'
import type { Post } from './post.ts'
import { requireHealth, requireLayout } from './reload-guards.ts'
import { listenToPrimary } from './stop.ts'
import { tellValidators } from './validators.ts'

/** Time that an idle connection stays open for a last request while stopping, in milliseconds. */
export const IDLE_MS = 1_000

/**
 * Starts the service in a worker process, by its config and with a log of JSON lines on stdout. Its primary process holds what all workers share, such as the port.
 *
 * @throws when a setting, an endpoint or a part it needs is not as it should be
 */
export async function serve(loaded: LoadedConfig, order: Order, post: Post): Promise<void> {
  const signals = listenToPrimary()
  const { port = loaded.config.listen.port, host = loaded.config.listen.host, isReload } = order
  const config = { ...loaded.config, listen: { port, host } }
  const address = await post.claim({ what: 'address', host, port })
  if (address.kind === 'refused') throw new Refusal(cannotListen(address.text, host, port))

  const plugins = await discover(config, loaded.places)
  const reports = await inspectEndpoints(config, plugins, () => new Date())
  const wrong = reports.filter(({ state }) => state === 'wrong')
  if (wrong[0]) {
    const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more; svc check lists them all)` : ''
    throw new Refusal(`${wrong[0].path}: endpoint ${wrong[0].endpoint}: ${wrong[0].text}${more}`)
  }
  const [nowhere] = hopeless(reports)
  if (nowhere !== undefined) throw new Refusal(`${nowhere} No endpoint of this network has it.`)
  if (isReload) await requireLayout({ ...loaded, config })

  const { host: hosting, counted } = hostingBy(post, isReload)
  const service = await start({ ...loaded, config }, { version: version(), idleMs: IDLE_MS, host: hosting })
  const { log } = service.app
  log.info(portText(port, order.portBy ?? loaded.portFrom ?? 'config'))
  for (const { path, endpoint, state, text } of reports)
    if (state === 'unreachable') log.warn({ network: path, endpoint }, `an endpoint could not be checked: ${text}`)
  for (const { report, sentence } of lacksOf(reports)) log.warn({ network: report.path, endpoint: report.endpoint }, sentence)
  for (const doubt of doubtsOf(reports)) log.warn(doubt)
  const clock = clockWarning(reports.flatMap(({ sighting }) => sighting ?? []))
  if (clock !== null) log.warn(clock)
  const nothing = await noProtocol(config, loaded.places)
  if (nothing !== null) log.warn(nothing)
  for (const secretFile of service.secrets.generated)
    log.warn({ file: secretFile }, 'a secret was made, because the config names none; keep a copy')
  // Those beside it, and those in its place, would only say it again.
  const notes = order.accepted === undefined ? await tellValidators(config, service) : []
  signals.serving({
    async close() {
      const closed = service.close()
      while (service.app.server.listening) await nextTurn()
      await post.tell({ kind: 'left' })
      await closed
      await counted()
    },
    underWay: service.underWay,
    say: (line) => log.info(line),
    fault(error) {
      const { sentence, where } = faultOf(error, service.plugins, 'its worker ends')
      log.fatal({ err: error, alert: 'UNCAUGHT', ...where }, sentence)
      void post.tell({ kind: 'broken' })
    },
  })
  await post.tell({ kind: 'ready', workers: config.workers, accepted: asText(loaded.config), address: service.address, notes })
}

/** What the primary does for this worker. @returns also what tells it for the last time what was counted here */
function hostingBy(post: Post, isReload: boolean): { readonly host: Host; counted(): Promise<void> } {
  let metrics: Metrics | undefined
  const tellCounts = async () => {
    if (metrics) await post.tell({ kind: 'counted', series: await metrics.series() })
  }
  post.onCount(() => void tellCounts())
  return {
    counted: tellCounts,
    host: {
      async holdDataFolder(folder) {
        const verdict = await post.claim({ what: 'folder', folder })
        if (verdict.kind === 'refused') throw new Refusal(`The data folder ${folder} cannot be taken: ${verdict.text}.`)
        return verdict.kind === 'done'
      },
      async serveMetrics(own, { host, port }) {
        const verdict = await post.claim({ what: 'metrics', host, port })
        if (verdict.kind === 'refused') throw new Refusal(cannotListen(verdict.text, host, port, 'metrics.port in the config'))
        metrics = own
      },
      async beforeListening(app) {
        if (isReload) await requireHealth(app)
      },
    },
  }
}

/** A config as JSON; null for one that holds a plugin itself, which cannot be passed on. */
function asText(config: LoadedConfig['config']): string | null {
  return Object.values(config.plugins).some(({ module }) => module !== undefined) ? null : JSON.stringify(config)
}

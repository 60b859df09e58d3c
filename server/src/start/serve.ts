import { discover, type LoadedConfig, start } from '@svc/core'
import { Refusal } from '../cli/refusal.ts'
import { inspectEndpoints } from '../endpoints.ts'
import { version } from '../home.ts'
import { noProtocol } from '../no-protocol.ts'
import { hopeless, lacksOf } from '../requirement-words.ts'
import { assertFree } from './ports.ts'
import { listenForSignals } from './stop.ts'

/** How long, while stopping, an idle connection stays open for a last request, in milliseconds. */
export const IDLE_MS = 1_000

/**
 * Starts the service by its config, with a log of JSON lines on stdout.
 *
 * @throws when a setting, an endpoint or a part it needs is not as it should be
 */
export async function serve(loaded: LoadedConfig, given: { readonly port?: number; readonly host?: string }): Promise<void> {
  const signals = listenForSignals()
  const { port = loaded.config.listen.port, host = loaded.config.listen.host } = given
  const config = { ...loaded.config, listen: { port, host } }
  await assertFree(host, port)

  const plugins = await discover(config, loaded.places)
  const reports = await inspectEndpoints(config, plugins)
  const wrong = reports.filter(({ state }) => state === 'wrong')
  if (wrong[0]) {
    const more = wrong.length > 1 ? ` (and ${wrong.length - 1} more; svc check lists them all)` : ''
    throw new Refusal(`${wrong[0].path}: endpoint ${wrong[0].endpoint}: ${wrong[0].text}${more}`)
  }
  const [nowhere] = hopeless(reports)
  if (nowhere !== undefined) throw new Refusal(`${nowhere} No endpoint of this network has it.`)

  const service = await start({ ...loaded, config }, { version: version(), idleMs: IDLE_MS })
  const { log } = service.app
  for (const { path, endpoint, state, text } of reports)
    if (state === 'unreachable') log.warn({ network: path, endpoint }, `an endpoint could not be checked: ${text}`)
  for (const { report, sentence } of lacksOf(reports)) log.warn({ network: report.path, endpoint: report.endpoint }, sentence)
  const nothing = await noProtocol(config, loaded.places)
  if (nothing !== null) log.warn(nothing)
  for (const made of service.secrets.generated) log.warn({ file: made }, 'a secret was made, because the config names none; keep a copy')
  signals.serving({ close: service.close, underWay: service.underWay, say: (line) => log.info(line) })
}

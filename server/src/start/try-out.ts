import { membersOf } from '@svc/contract'
import { portOf } from '@svc/core'
import { sandboxFolder } from '../cli/config.ts'
import { Refusal } from '../cli/refusal.ts'
import { placesOf, version } from '../home.ts'
import { startWithSandbox } from '../sandbox.ts'
import { pluginsToTry } from '../scenarios.ts'
import { banner } from './banner.ts'
import { faultOf } from './fault.ts'
import { assertFree, portText } from './ports.ts'
import { IDLE_MS } from './serve.ts'
import { listenForSignals } from './stop.ts'

interface Given {
  readonly port?: number
  readonly host?: string
  readonly controlPort?: number
  /** Which option or variable `port` is of. */
  readonly portBy?: '--port' | 'SVC_PORT' | undefined
}

const DEFAULT_PORT = 3000

/** Starts the sandbox, and shows how to use it. */
export async function tryOut({ host = '127.0.0.1', portBy, ...given }: Given): Promise<void> {
  const { PORT } = process.env
  const { port = PORT ? portOf(PORT) : DEFAULT_PORT } = given
  const { controlPort = port === 0 ? 0 : port + 1 } = given
  const signals = listenForSignals()
  const began = performance.now()
  const say = (line: string) => console.log(line)
  const places = placesOf()
  // Before anything is said: whoever has nothing to try out is told what to install.
  await pluginsToTry(places)
  if (controlPort > 65_535) throw new Refusal(`Port ${port} leaves no port above it for the control; name one with SVC_CONTROL_PORT.`)
  await assertFree(host, port)
  await assertFree('127.0.0.1', controlPort, '--control-port or SVC_CONTROL_PORT')
  say('There is no config here, so this is the sandbox: the service on local chains.')
  const dataDir = sandboxFolder()
  const progress = (line: string) => say(`  ${line}`)
  if (PORT && portBy === undefined) say(portText(port, 'PORT'))
  const options = { host, port, controlPort, dataDir, places, version: version(), idleMs: IDLE_MS, examples: true, progress }
  const sandbox = await startWithSandbox(options).catch((error: unknown) => {
    if (membersOf(error).code !== 'DATA_IN_USE') throw error
    throw new Refusal(`Another sandbox is running in ${dataDir}: stop that one, or give this one a folder of its own with SVC_DATA.`, {
      cause: error,
    })
  })
  progress(`ready after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const { underWay, plugins } = sandbox.service
  signals.serving({
    close: sandbox.close,
    underWay,
    say,
    fault: (error) => console.error(faultOf(error, plugins, 'the service stops').sentence, error),
  })
  say(banner(sandbox))
}

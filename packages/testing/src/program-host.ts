// A process in which programs run one after the other, each in a folder and an environment of its own: most of what one of a second costs is loading
// what all of them share. That a program also ends by itself, as a process, is shown apart.
import { pathToFileURL } from 'node:url'
import type { Order, Ran } from './shared.ts'

const streams = ['stdout', 'stderr'] as const
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
let runs = 0

const { exit } = process
// A service that was to be refused and is not would keep it.
process.on('disconnect', () => exit())
process.on('message', async (order: Order) => {
  process.send?.(await ran(order))
})

async function ran({ program, args, cwd, env }: Order): Promise<Ran> {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, program, ...args]
  process.exitCode = undefined
  const output = { stdout: '', stderr: '' }
  let ended = false
  const before = { exit: process.exit, stdout: process.stdout.write, stderr: process.stderr.write }
  const handlers = new Map(signals.map((signal) => [signal, process.listeners(signal)]))
  for (const stream of streams)
    process[stream].write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      if (!ended) output[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      const written = rest.at(-1)
      if (typeof written === 'function') process.nextTick(written)
      return true
    }) as typeof process.stdout.write
  let code = 0
  const end = (outcome: unknown) => {
    if (ended) return
    ended = true
    code = Number(outcome ?? process.exitCode ?? 0)
  }
  process.exit = ((exitCode?: number): never => {
    end(exitCode)
    throw new Error('a process would have ended here')
  }) as typeof process.exit
  try {
    // Under a name of its own, so that it is run again; what it imports stays loaded.
    await import(`${pathToFileURL(program).href}?run=${++runs}`)
    end(undefined)
  } catch (error) {
    if (!ended) throw error
  } finally {
    process.exit = before.exit
    for (const stream of streams) {
      process[stream].write = before[stream]
      process[stream].removeAllListeners('error')
    }
    for (const [signal, originals] of handlers)
      for (const listener of process.listeners(signal)) if (!originals.includes(listener)) process.removeListener(signal, listener)
  }
  return { code, ...output }
}

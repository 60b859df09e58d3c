// A process in which commands of the command line run one after the other, each in a folder and an environment of its own: most of what a command
// costs is loading what all of them share. That each also ends by itself, as a process, is shown apart.
import type { Order, Ran } from '../cli-process.ts'

const { run } = await import('../../src/cli/program.ts')
const streams = ['stdout', 'stderr'] as const

process.on('message', async (order: Order) => {
  process.send?.(await ran(order))
})

async function ran({ args, cwd, env }: Order): Promise<Ran> {
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.exitCode = undefined
  const said = { stdout: '', stderr: '' }
  let ended = false
  const before = { exit: process.exit, stdout: process.stdout.write, stderr: process.stderr.write }
  for (const stream of streams)
    process[stream].write = ((chunk: string | Uint8Array, ...rest: unknown[]) => {
      if (!ended) said[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
      const written = rest.at(-1)
      if (typeof written === 'function') process.nextTick(written)
      return true
    }) as typeof process.stdout.write
  const code = await new Promise<number>((resolve, reject) => {
    const end = (given: unknown) => {
      ended = true
      resolve(Number(given ?? process.exitCode ?? 0))
    }
    process.exit = ((given?: number): never => {
      end(given)
      throw new Error('a process would have ended here')
    }) as typeof process.exit
    run(['node', 'svc', ...args]).then(() => end(undefined), reject)
  })
  process.exit = before.exit
  for (const stream of streams) {
    process[stream].write = before[stream]
    process[stream].removeAllListeners('error')
  }
  return { code, ...said }
}

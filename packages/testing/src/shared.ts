import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Order to the process that programs share. */
export interface Order {
  /** File of a program that ends by itself. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** The whole environment. */
  readonly env: NodeJS.ProcessEnv
}

/** Result of a program. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Host {
  readonly child: ChildProcess
  /** Rejects when it ends, which no program does to it. */
  readonly over: Promise<never>
}

let host: Host | undefined
let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a program to its end in a process that the programs of a test process share, one after the other, in the order of the calls.
 *
 * @throws Error when the program throws what it does not catch
 */
export function runShared(order: Order): Promise<Ran> {
  const ran = last.then(async () => {
    host ??= startHost()
    const { child, over } = host
    const answer = once(child, 'message')
    child.ref()
    child.channel?.ref()
    child.send(order)
    const [result] = await Promise.race([answer, over])
    child.unref()
    child.channel?.unref()
    return result as Ran
  })
  last = ran.catch(() => {})
  return ran
}

/** It ends with this process. */
function startHost(): Host {
  const child = fork(fileURLToPath(new URL('program-host.ts', import.meta.url)), {
    execArgv: ['--conditions=@svc/source'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const over = once(child, 'exit').then(([code]): never => {
    host = undefined
    throw new Error(`a program ended the process that all of them share, with ${code}`)
  })
  over.catch(() => {})
  return { child, over }
}

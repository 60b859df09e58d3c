import { type SpawnOptions, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { access, constants, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Keeper } from './keeper.ts'

/** Options of calling a program. */
interface Call {
  readonly cwd?: string
  /** Added to the environment of the run. */
  readonly env?: Readonly<Record<string, string>>
}

/** End of a program that was run to its end. */
export interface ProgramEnd {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A program that runs until it is ended. */
export interface Running {
  readonly pid: number
  /** Says how the program ended, or null while it runs. */
  ended(): string | null
  /** The last lines that it wrote. */
  tail(): Promise<string>
  /** Ends it, gently and after 10 seconds by force, and returns when it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts programs so that none of them outlives the run. */
export interface Programs {
  /** Runs one to its end. @throws Error when it could not be started */
  run(command: string, args: readonly string[], call?: Call): Promise<ProgramEnd>
  /** Runs one to its end. @returns what it wrote on stdout @throws Error with all that it wrote, when it ended with another code than 0 */
  must(command: string, args: readonly string[], call?: Call): Promise<string>
  /** Starts one that goes on. @param log file that takes what it writes */
  start(command: string, args: readonly string[], log: string, call?: Call): Running
}

/** Questions that `until` asks a second. */
const A_SECOND = 10
/** Characters of a log that are shown when a program has ended although it should not. */
const TAIL = 3_000

/** Programs of a run, each told to its keeper. */
export function createPrograms(keeper: Keeper): Programs {
  const begin = (command: string, args: readonly string[], { cwd, env }: Call, stdio: SpawnOptions['stdio']) => {
    const child = spawn(command, args, { ...(cwd ? { cwd } : {}), env: { ...process.env, ...env }, stdio: stdio ?? 'pipe' })
    const { pid } = child
    if (pid !== undefined) {
      keeper.started(pid)
      child.once('exit', () => keeper.ended(pid))
    }
    return child
  }
  const run: Programs['run'] = (command, args, call = {}) =>
    new Promise((done, failed) => {
      const child = begin(command, args, call, ['ignore', 'pipe', 'pipe'])
      let out = ''
      let err = ''
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        out += text
      })
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        err += text
      })
      child.once('error', (error) => failed(new Error(`${command} could not be started: ${error.message}`)))
      child.once('close', (code) => done({ code, out, err }))
    })
  return {
    run,
    async must(command, args, call) {
      const { code, out, err } = await run(command, args, call)
      if (code !== 0) throw new Error(`${command} ${args.slice(0, 6).join(' ')} ended with ${code}:\n${out}${err}`.slice(-TAIL))
      return out
    },
    start(command, args, log, call = {}) {
      const child = begin(command, args, call, ['ignore', 'pipe', 'pipe'])
      const file = createWriteStream(log, { flags: 'a' })
      child.stdout?.pipe(file, { end: false })
      child.stderr?.pipe(file, { end: false })
      let how: string | null = null
      const ended = new Promise<void>((done) => {
        child.once('error', (error) => {
          how = `could not be started: ${error.message}`
          done()
        })
        child.once('close', (code, signal) => {
          how ??= `ended with ${signal ?? code}`
          file.end()
          done()
        })
      })
      return {
        pid: child.pid ?? 0,
        ended: () => how,
        tail: async () => (await readFile(log, 'utf8').catch(() => '')).slice(-TAIL),
        async stop(signal = 'SIGTERM') {
          if (how !== null) return
          child.kill(signal)
          const force = setTimeout(() => child.kill('SIGKILL'), 10_000)
          await ended
          clearTimeout(force)
        },
      }
    },
  }
}

/**
 * Asks again and again until there is an answer.
 *
 * @param seconds of a chain that goes its way; questions are counted, ten a second, so that a machine that is slow for a while loses none of them
 * @param running whose end ends the waiting
 * @throws Error after that many questions
 */
export async function until<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | undefined | false | null>,
  running?: Running,
): Promise<T> {
  let last: unknown
  for (let questions = 0; questions < seconds * A_SECOND; questions++) {
    const ended = running?.ended()
    if (running && ended) throw new Error(`${what}: it ${ended}.\n${await running.tail()}`)
    const answer = await ask().catch((error: unknown) => {
      last = error
    })
    if (answer !== undefined && answer !== false && answer !== null) return answer
    await wait(1_000 / A_SECOND)
  }
  throw new Error(`${what}: not in ${seconds * A_SECOND} questions, ${A_SECOND} a second.`, { cause: last })
}

/** Looks for a program on the PATH. @returns its place, or null */
export async function findProgram(name: string): Promise<string | null> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, name)
    const there = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (folder !== '' && there) return file
  }
  return null
}

import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Remembers what must be gone after a run, outside of the run's own process, which may crash. */
export interface Keeper {
  /** A process that was started. */
  started(pid: number): void
  /** A process that has ended; its number may be another's from then on. */
  ended(pid: number): void
  /** Makes a folder that is gone after the run. */
  folder(): Promise<string>
  /** Kills and removes what is left, and returns when that is done. */
  close(): Promise<void>
}

/** Starts the process that remembers. */
export function startKeeper(): Keeper {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./keeper.mjs', import.meta.url))], {
    stdio: ['pipe', 'inherit', 'inherit'],
    // In a group of its own, so that an interrupt at the terminal does not reach it.
    detached: true,
  })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  // Where it was killed itself, a line to it must not end the run.
  child.stdin.on('error', () => {})
  const tell = (line: string) => child.stdin.write(`${line}\n`)
  return {
    started: (pid) => tell(`pid ${pid}`),
    ended: (pid) => tell(`gone ${pid}`),
    async folder() {
      const folder = await mkdtemp(join(tmpdir(), 'svc-real-'))
      tell(`folder ${folder}`)
      return folder
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}

import { Worker } from 'node:worker_threads'
import type { Finding, GroupName, GroupResult } from '../../src/index.ts'

/** What a group came to, as far as it passes from one thread to another. */
export type Told = Pick<GroupResult, 'group' | 'ok'> & {
  readonly findings: readonly (Pick<Finding, 'ok' | 'name'> & { readonly found?: string })[]
}

/** A plugin, by the groups that it is broken for, and the groups that look at it. */
export interface Job {
  readonly broken: readonly GroupName[]
  readonly groups: readonly GroupName[]
}

/** Threads with a chain of their own each, in which groups look at plugins: one after the other in each, without what the tests' library notes of every promise. */
export function createThreads(count: number) {
  const waiting: { readonly job: Job; readonly done: (told: readonly Told[]) => void; readonly failed: (error: Error) => void }[] = []
  const workers = Array.from({ length: count }, () => {
    const worker = new Worker(new URL('thread.ts', import.meta.url))
    let current: (typeof waiting)[number] | undefined
    const fail = (error: Error) => current?.failed(error)
    const next = () => {
      current = waiting.shift()
      if (current) worker.postMessage(current.job)
      else idle.add(next)
    }
    worker.on('message', (told: readonly Told[] | null) => {
      if (told) current?.done(told)
      next()
    })
    worker.on('error', fail)
    worker.on('exit', () => fail(new Error('the thread has ended')))
    return worker
  })
  const idle = new Set<() => void>()

  return {
    check(broken: readonly GroupName[], groups: readonly GroupName[]): Promise<readonly Told[]> {
      const told = new Promise<readonly Told[]>((done, failed) => void waiting.push({ job: { broken, groups }, done, failed }))
      // What fails is told where it is waited for.
      told.catch(() => undefined)
      for (const next of idle) {
        idle.delete(next)
        next()
        break
      }
      return told
    },
    close: () => Promise.all(workers.map((worker) => worker.terminate())),
  }
}

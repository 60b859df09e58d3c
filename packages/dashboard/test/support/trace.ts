/** The categories of a trace that tell of tasks, and no other: what Chromium notes by itself is twenty times as much. */
export const TASKS = ['-*', 'disabled-by-default-devtools.timeline']

/** The longest task of the page's main thread in a trace, in milliseconds: of the processor and not of the clock, since others may be at work on this machine. */
export function longestTask(trace: Buffer): number {
  return Math.max(0, ...tasksOf(trace))
}

/** All tasks of it together, in milliseconds of the processor. */
export function busyTime(trace: Buffer): number {
  return tasksOf(trace).reduce((sum, each) => sum + each, 0)
}

function tasksOf(trace: Buffer): readonly number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as {
    readonly traceEvents: readonly { name: string; pid: number; tid: number; tdur?: number; args: { name?: string } }[]
  }
  const main = new Set(
    traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`),
  )
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid} ${tid}`))
  return tasks.map(({ tdur = 0 }) => tdur / 1000)
}

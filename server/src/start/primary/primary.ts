import cluster from 'node:cluster'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Order } from '../messages.ts'
import { NUMBERS, SAME_MS, type Signal } from '../stop.ts'
import { type Answer, openControl } from './control.ts'
import { createCrew } from './crew.ts'
import { createHoldings } from './holdings.ts'
import { createQueue } from './queue.ts'
import { say } from './say.ts'

/** How long, in milliseconds, counters of a worker are waited for; of one that is busy the former ones are told. */
const COUNT_MS = 1_000

/**
 * Runs a service: its workers serve, while this process loads nothing of the service. It starts the workers, replaces those that end, exchanges them when the config has
 * changed, and holds the shared resources. Resolves when the service listens.
 *
 * @throws Refusal when it does not come to that
 */
export async function runPrimary(order: Pick<Order, 'file' | 'port' | 'host' | 'portBy'>): Promise<void> {
  // The workers share one listening socket. With the other policy a connection that was handed to a worker which ends is neither answered nor closed:
  // lib/internal/cluster/round_robin_handle.js of Node 24.21 (read 2026-11-23). Windows knows the other one alone.
  if (process.platform !== 'win32') cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: fileURLToPath(new URL(`../worker${extname(import.meta.filename)}`, import.meta.url)), args: [] })

  const counting = new EventTarget()
  const holdings = createHoldings(async () => {
    const waited = AbortSignal.timeout(COUNT_MS)
    const answers = crew.askCounts().map(({ id }) => once(counting, String(id), { signal: waited }))
    await Promise.allSettled(answers)
  })
  let isHopeless = false
  const crew = createCrew({
    order,
    holdings,
    say,
    onCounted: (worker) => counting.dispatchEvent(new Event(String(worker))),
    onHopeless() {
      isHopeless = true
      say('fatal', 'No worker stays alive, so the service ends.')
      void stop('SIGTERM')
    },
  })

  let stoppedAt: number | undefined
  let closeControl = () => {}
  const stop = async (signal: Signal) => {
    const isBegun = stoppedAt !== undefined
    if (isBegun && performance.now() - (stoppedAt ?? 0) <= SAME_MS) return
    stoppedAt ??= performance.now()
    if (isBegun) {
      say('warn', 'Ended at once.')
      crew.kill()
      closeControl()
      process.exit(128 + NUMBERS[signal])
    }
    closeControl()
    const code = await crew.stop()
    // Also before it served: whoever ordered the end got it in order.
    process.exit(isHopeless ? 1 : code)
  }
  const { promise: started, resolve: begun } = Promise.withResolvers<void>()
  const reload = createQueue(async (): Promise<Answer> => {
    // What it was started with is served first.
    await started
    if (stoppedAt !== undefined) return { isDone: false, text: 'The service is being stopped.' }
    const began = performance.now()
    say('info', 'Reloading: the config is read, and its workers start beside those that serve.')
    try {
      const notes = await crew.change(true)
      const text = `Reloaded after ${((performance.now() - began) / 1000).toFixed(1)} s: the config as it is now is being served.`
      say('info', text)
      return { isDone: true, text, notes }
    } catch (error) {
      const text = `Not reloaded, and what was served is served: ${error instanceof Error ? error.message : String(error)}`
      say('error', text)
      return { isDone: false, text }
    }
  })

  let isServing = false
  for (const signal of Object.keys(NUMBERS) as Signal[])
    process.on(signal, () => {
      // A terminal that is closed hangs up; somebody who sends the signal to a service means its config.
      if (signal === 'SIGHUP' && isServing && !process.stdin.isTTY) void reload()
      else void stop(signal)
    })
  if (existsSync(order.file)) closeControl = await openControl(order.file, reload).catch(unreached)
  try {
    await crew.change(false)
  } catch (error) {
    closeControl()
    // Whoever stopped it before it served knows why it does not: `stop` ends the process.
    if (stoppedAt !== undefined) return
    throw error
  }
  isServing = true
  begun()
}

/** A service does without what only `svc reload` needs. */
function unreached(error: unknown): () => void {
  say('warn', `\`svc reload\` does not reach this service, SIGHUP does: ${error instanceof Error ? error.message : String(error)}`)
  return () => {}
}

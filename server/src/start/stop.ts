import cluster from 'node:cluster'
import type { UnderWay } from '@svc/core'

/** Service that a signal stops. */
interface Stoppable {
  close(): Promise<void>
  underWay(): readonly UnderWay[]
  /** Shows a line to the operator. */
  say(line: string): void
  /** Shows what was thrown where nobody could catch it. */
  fault(error: unknown): void
}

/** Listens for what means the end: a signal, or an error that nobody catches. */
interface Signals {
  /** From now on a signal stops this, and so does an error that nobody catches; until then they end the process. */
  serving(what: Stoppable): void
}

export const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const
export type Signal = keyof typeof NUMBERS

/** Longest time, in milliseconds, that requests under way may take to end. */
export const BOUND_MS = 30_000
/** A terminal and the programs between it and this one may each pass the same Ctrl-C on; it is meant once. */
export const SAME_MS = 500

/** Number of uncaught errors that are shown; what throws in a timer throws again while requests under way end. */
const FAULTS_SHOWN = 10

/**
 * Stops the service in order on a signal, with code 0; and after an uncaught error, such as in a timer, with code 1, since it may have left something half done. Requests
 * under way, including a broadcast, are still answered and recorded.
 *
 * @param boundMs longest time that stopping may take
 */
export function listenForSignals(boundMs = BOUND_MS): Signals {
  const end = createEnd(boundMs, '; once more ends it at once')
  for (const signal of Object.keys(NUMBERS) as Signal[]) {
    process.on(signal, () => {
      // There is nothing to be finished yet, and local chains end with the process.
      if (!end.target) process.exit(128 + NUMBERS[signal])
      if (end.begunAt === undefined) end.begin()
      else if (performance.now() - end.begunAt > SAME_MS) {
        end.target.say('Ended at once.')
        process.exit(128 + NUMBERS[signal])
      }
    })
  }
  return end
}

/**
 * Stops a worker in order when its primary says so: by SIGTERM, which also comes from whoever ends all processes of a service, or by ending itself. A terminal's signals to
 * both are handled by the primary.
 */
export function listenToPrimary(boundMs = BOUND_MS): Signals {
  const end = createEnd(boundMs, '')
  const stop = (code: number) => {
    if (!end.target) process.exit(code)
    if (end.begunAt === undefined) end.begin()
  }
  // Else Node ends a worker at once when its primary is gone: lib/internal/cluster/child.js of Node 24.21 (read 2026-11-25).
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  process.on('SIGTERM', () => stop(128 + NUMBERS.SIGTERM))
  process.on('disconnect', () => stop(1))
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
  return end
}

interface End extends Signals {
  readonly target: Stoppable | undefined
  /** When stopping began, by the clock of `performance`. */
  readonly begunAt: number | undefined
  begin(): void
}

function createEnd(boundMs: number, hint: string): End {
  let target: Stoppable | undefined
  let begunAt: number | undefined
  let faults = 0
  const begin = () => {
    if (!target) return
    begunAt = performance.now()
    void stop(target, { boundMs, hint, code: () => (faults === 0 ? 0 : 1) })
  }
  return {
    get target() {
      return target
    },
    get begunAt() {
      return begunAt
    },
    begin,
    serving(what) {
      target = what
      // A rejection that nobody handles comes here too: https://nodejs.org/api/process.html#event-uncaughtexception (read 2026-11-25)
      process.on('uncaughtException', (error: unknown) => {
        faults++
        if (faults <= FAULTS_SHOWN) what.fault(error)
        if (begunAt === undefined) begin()
      })
    },
  }
}

interface Stopping {
  readonly boundMs: number
  /** What else can be done, for the operator. */
  readonly hint: string
  readonly code: () => number
}

async function stop(target: Stoppable, { boundMs, hint, code }: Stopping): Promise<void> {
  const open = target.underWay().length
  target.say(open === 0 ? 'Stopping.' : `Stopping once ${open} request(s) under way are answered${hint}.`)
  setTimeout(() => {
    const left = target.underWay().map(({ id, method, route, ms }) => `${method} ${route} (${id}, ${Math.round(ms / 1000)} s)`)
    target.say(
      `Not stopped within ${boundMs / 1000} s; still open: ${left.join(', ') || 'nothing that was asked, but something of the service'}.`,
    )
    process.exit(1)
  }, boundMs).unref()
  try {
    await target.close()
    target.say('Stopped.')
    process.exit(code())
  } catch (error) {
    target.say(`Stopped, but not in order: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

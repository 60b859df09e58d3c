import type { UnderWay } from '@svc/core'

/** What a signal stops. */
export interface Stoppable {
  close(): Promise<void>
  underWay(): readonly UnderWay[]
  /** Shows a line to the operator. */
  say(line: string): void
}

/** Listens for the signals that mean the end. */
export interface Signals {
  /** From now on a signal stops this; until then it ends the process. */
  serving(what: Stoppable): void
}

const NUMBERS = { SIGINT: 2, SIGTERM: 15, SIGHUP: 1 } as const
type Signal = keyof typeof NUMBERS

/** Longest time, in milliseconds, that requests under way may take to end. */
const BOUND_MS = 30_000
/** A terminal and the programs between it and this one may each pass the same Ctrl-C on; it is meant once. */
const SAME_MS = 500

/** @param boundMs longest time that stopping may take */
export function listenForSignals(boundMs = BOUND_MS): Signals {
  let target: Stoppable | undefined
  let stoppedAt: number | undefined
  for (const signal of Object.keys(NUMBERS) as Signal[]) {
    process.on(signal, () => {
      // There is nothing to be finished yet, and local chains end with the process.
      if (!target) process.exit(128 + NUMBERS[signal])
      if (stoppedAt === undefined) {
        stoppedAt = performance.now()
        void stop(target, boundMs)
      } else if (performance.now() - stoppedAt > SAME_MS) {
        target.say('Ended at once.')
        process.exit(128 + NUMBERS[signal])
      }
    })
  }
  return {
    serving(what) {
      target = what
    },
  }
}

async function stop(target: Stoppable, boundMs: number): Promise<void> {
  const open = target.underWay().length
  target.say(open === 0 ? 'Stopping.' : `Stopping once ${open} request(s) under way are answered; once more ends it at once.`)
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
    process.exit(0)
  } catch (error) {
    target.say(`Stopped, but not in order: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}

import type { FastifyBaseLogger } from 'fastify'
import { type Condition, flawOfConditions } from './condition.ts'

/** How often the chain is asked, in milliseconds: five minutes. A failed reading is tried again with the next look of the timer. */
const READ_MS = 300_000
/** How often the timer looks whether a reading is due. */
const LOOK_MS = 60_000

/** Conditions, and when the chain told them. */
export interface ConditionReading {
  readonly conditions: readonly Condition[]
  readonly takenAt: Date
}

/** What is kept of a network's conditions. */
export interface ConditionKeeper {
  /** The last good reading, without asking for anything; null before the first. */
  peek(): ConditionReading | null
  /** Reads for the first time, and from then on every five minutes. Never rejects. */
  start(): Promise<void>
  close(): void
}

/**
 * Conditions of one network, read every five minutes. A reading that fails, or cannot be, leaves the last good one with its age: it is an
 * error in the log, and never a state.
 */
export function createConditionKeeper(
  read: () => Promise<readonly Condition[]>,
  { log, now }: { readonly log: FastifyBaseLogger; readonly now: () => Date },
): ConditionKeeper {
  let last: ConditionReading | null = null
  let dueAt = Number.NEGATIVE_INFINITY
  let running: Promise<void> | undefined
  const timer = setInterval(() => void due(), LOOK_MS)
  timer.unref()

  function due(): Promise<void> {
    if (running === undefined && now().getTime() >= dueAt)
      running = update().finally(() => {
        running = undefined
      })
    return running ?? Promise.resolve()
  }

  async function update(): Promise<void> {
    const takenAt = now()
    try {
      const conditions = await read()
      const flaw = flawOfConditions(conditions)
      if (flaw !== null) throw new TypeError(`what was read cannot be: ${flaw}`)
      last = { conditions, takenAt }
      dueAt = takenAt.getTime() + READ_MS
    } catch (error) {
      log.warn({ err: error }, 'the state of the validator or pool could not be read; the last good one stays')
    }
  }

  return { peek: () => last, start: due, close: () => clearInterval(timer) }
}

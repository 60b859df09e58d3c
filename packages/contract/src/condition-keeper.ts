import type { FastifyBaseLogger } from 'fastify'
import { type Condition, flawOfConditions } from './condition.ts'

/** How often the chain is asked where the protocol does not say. A failed reading is tried again with the next look of the timer. */
const USUAL_MINUTES = 5
const MINUTE_MS = 60_000
/** How often the timer looks whether a reading is due. */
const LOOK_MS = MINUTE_MS

/** Conditions, and when the chain told them. */
export interface ConditionReading {
  readonly conditions: readonly Condition[]
  readonly takenAt: Date
  /** How many minutes after it the chain is asked again. */
  readonly minutes: number
}

/** What is kept of a network's conditions. */
export interface ConditionKeeper {
  /** The last good reading, without asking for anything; null before the first. */
  peek(): ConditionReading | null
  /** Reads for the first time, and from then on at its pace. Never rejects. */
  start(): Promise<void>
  close(): void
}

/**
 * Conditions of one network, read every five minutes unless the protocol says otherwise. A reading that fails, or cannot be, leaves the last good one with its age: it is an
 * error in the log, and never a state.
 */
export function createConditionKeeper(
  read: () => Promise<readonly Condition[]>,
  {
    minutes = USUAL_MINUTES,
    log,
    now,
  }: { readonly minutes?: number | undefined; readonly log: FastifyBaseLogger; readonly now: () => Date },
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
      last = { conditions, takenAt, minutes }
      dueAt = takenAt.getTime() + minutes * MINUTE_MS
    } catch (error) {
      log.warn({ err: error }, 'the state of the validator or pool could not be read; the last good one stays')
    }
  }

  return { peek: () => last, start: due, close: () => clearInterval(timer) }
}

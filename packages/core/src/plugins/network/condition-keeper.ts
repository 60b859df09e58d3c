import { isDeepStrictEqual } from 'node:util'
import { type Condition, membersOf } from '@svc/contract'
import { areConditions, flawOfConditions, type KeyStore } from '@svc/contract/host'
import type { FastifyBaseLogger } from 'fastify'

/** Interval at which the chain is asked where the protocol names none. A failed reading is tried again with the next look of the timer. */
const USUAL_MINUTES = 5
const MINUTE_MS = 60_000
/** Interval at which the timer looks whether a reading is due. */
const LOOK_MS = MINUTE_MS
/**
 * Shortest interval between readings for the sake of what callers meet, in milliseconds, besides the regular readings, however many calls are refused, and
 * whatever for. It is the usual interval: so what is refused is read at most once more for each usual reading.
 */
const MET_MS = USUAL_MINUTES * MINUTE_MS
/** Key under which the reading is kept. */
const KEY = 'condition'

/** Conditions, and the time at which the chain told them. */
export interface ConditionReading {
  readonly conditions: readonly Condition[]
  readonly takenAt: Date
  /** Number of minutes after the reading until the chain is asked again. */
  readonly minutes: number
}

/** Keeper of a network's conditions. */
export interface ConditionKeeper {
  /** Returns the last good reading without asking the chain; null before the first. */
  peek(): ConditionReading | null
  /** Reads for the first time, and then at the regular interval. Never rejects. */
  start(): Promise<void>
  /**
   * Notes what a caller met. Where this contradicts the last reading, the chain is asked as soon as it may be. Never throws.
   *
   * @param isTaken whether stake was taken, or refused for an obstacle
   */
  met(isTaken: boolean): void
  close(): void
}

/**
 * Makes the keeper of one network's conditions, which reads them every five minutes unless the protocol says otherwise. When a reading fails, the last good one stays, with
 * its age: a failure is logged as an error, and never reported as a state. A newer reading of another replica replaces an own one, and spares it.
 */
export function createConditionKeeper(
  read: () => Promise<readonly Condition[]>,
  {
    minutes = USUAL_MINUTES,
    changed,
    log,
    store,
    now,
  }: {
    readonly minutes?: number | undefined
    /** Called after every reading that differs from the one before, also if another replica made that one. */
    readonly changed?: (() => void) | undefined
    readonly log: FastifyBaseLogger
    readonly store: KeyStore
    readonly now: () => Date
  },
): ConditionKeeper {
  let last: ConditionReading | null = null
  /** When the chain was last asked for the sake of what somebody met, well or not. */
  let askedForMetAt = Number.NEGATIVE_INFINITY
  /** When somebody last met what the last reading does not say; null: nobody since. */
  let metAt: number | null = null
  let running: Promise<void> | undefined
  const timer = setInterval(() => void look(), LOOK_MS)
  timer.unref()

  function dueAt(): number {
    const paced = last === null ? Number.NEGATIVE_INFINITY : last.takenAt.getTime() + minutes * MINUTE_MS
    return metAt === null ? paced : Math.min(paced, askedForMetAt + MET_MS)
  }

  function due(): Promise<void> {
    if (running === undefined && now().getTime() >= dueAt())
      running = update().finally(() => {
        running = undefined
      })
    return running ?? Promise.resolve()
  }

  async function look(): Promise<void> {
    if (running === undefined) await adopt()
    await due()
  }

  async function update(): Promise<void> {
    const takenAt = now()
    const before = metAt
    if (before !== null) askedForMetAt = takenAt.getTime()
    // What is met from here on may be newer than what is being read.
    metAt = null
    try {
      const conditions = await read()
      const flaw = flawOfConditions(conditions)
      if (flaw !== null) throw new TypeError(`what was read cannot be: ${flaw}`)
      take(conditions, takenAt)
    } catch (error) {
      metAt ??= before
      log.warn({ err: error }, 'the state of the validator or pool could not be read; the last good one stays')
      return
    }
    await store
      .put(KEY, { conditions: last?.conditions, takenAt: takenAt.toISOString() })
      .catch((err: unknown) =>
        log.warn({ err }, 'the state of validators or pools is too much to keep for other replicas; each reads it for itself'),
      )
  }

  function take(conditions: readonly Condition[], takenAt: Date): void {
    const differs = last !== null && !isDeepStrictEqual(conditions, last.conditions)
    last = { conditions, takenAt, minutes }
    if (differs) changed?.()
  }

  async function adopt(): Promise<void> {
    const { conditions, takenAt: text } = membersOf(await store.get(KEY))
    const takenAt = new Date(String(text))
    if (last === null || !(takenAt > last.takenAt && takenAt <= now()) || !areConditions(conditions)) return
    take(conditions, takenAt)
    if (metAt !== null && metAt <= takenAt.getTime()) metAt = null
  }

  return {
    peek: () => last,
    start: due,
    met(isTaken) {
      if (last === null || isTaken === last.conditions.every(({ state }) => state === 'active')) return
      metAt = now().getTime()
      void due()
    },
    close: () => clearInterval(timer),
  }
}

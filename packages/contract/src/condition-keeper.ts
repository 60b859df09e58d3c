import type { FastifyBaseLogger } from 'fastify'
import { areConditions, type Condition, flawOfConditions } from './condition.ts'
import type { KeyStore } from './key-store.ts'
import { membersOf } from './members.ts'

/** How often the chain is asked where the protocol does not say. A failed reading is tried again with the next look of the timer. */
const USUAL_MINUTES = 5
const MINUTE_MS = 60_000
/** How often the timer looks whether a reading is due. */
const LOOK_MS = MINUTE_MS
/**
 * How often it is asked at most for the sake of what callers meet, in milliseconds. It is the usual pace: however many are refused, and whatever for, it is
 * read no more often than where nobody chose a pace.
 */
const MET_MS = USUAL_MINUTES * MINUTE_MS
/** Where it is kept. */
const KEY = 'condition'

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
  /**
   * What a caller met. Where it speaks against the last reading, the chain is asked as soon as it may be. Never throws.
   *
   * @param taken whether stake was taken, or refused for an obstacle
   */
  met(taken: boolean): void
  close(): void
}

/**
 * Conditions of one network, read every five minutes unless the protocol says otherwise. A reading that fails, or cannot be, leaves the last good one with its age: it is an
 * error in the log, and never a state. What another replica has read since is as good as an own reading, and spares it.
 */
export function createConditionKeeper(
  read: () => Promise<readonly Condition[]>,
  {
    minutes = USUAL_MINUTES,
    log,
    store,
    now,
  }: {
    readonly minutes?: number | undefined
    readonly log: FastifyBaseLogger
    readonly store: KeyStore
    readonly now: () => Date
  },
): ConditionKeeper {
  let last: ConditionReading | null = null
  /** When the chain was last asked, well or not. */
  let askedAt = Number.NEGATIVE_INFINITY
  /** When somebody last met what the last reading does not say; null: nobody since. */
  let metAt: number | null = null
  let running: Promise<void> | undefined
  const timer = setInterval(() => void look(), LOOK_MS)
  timer.unref()

  function dueAt(): number {
    const paced = last === null ? Number.NEGATIVE_INFINITY : last.takenAt.getTime() + minutes * MINUTE_MS
    return metAt === null ? paced : Math.min(paced, askedAt + MET_MS)
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
    askedAt = takenAt.getTime()
    // What is met from here on may be newer than what is being read.
    metAt = null
    try {
      const conditions = await read()
      const flaw = flawOfConditions(conditions)
      if (flaw !== null) throw new TypeError(`what was read cannot be: ${flaw}`)
      last = { conditions, takenAt, minutes }
    } catch (error) {
      metAt ??= before
      log.warn({ err: error }, 'the state of the validator or pool could not be read; the last good one stays')
      return
    }
    await store
      .put(KEY, { conditions: last.conditions, takenAt: takenAt.toISOString() })
      .catch((err: unknown) =>
        log.warn({ err }, 'the state of validators or pools is too much to keep for other replicas; each reads it for itself'),
      )
  }

  async function adopt(): Promise<void> {
    const { conditions, takenAt: text } = membersOf(await store.get(KEY))
    const takenAt = new Date(String(text))
    if (last === null || !(takenAt > last.takenAt && takenAt <= now()) || !areConditions(conditions)) return
    last = { conditions, takenAt, minutes }
    if (metAt !== null && metAt <= takenAt.getTime()) metAt = null
  }

  return {
    peek: () => last,
    start: due,
    met(taken) {
      if (last === null || taken === last.conditions.every(({ state }) => state === 'active')) return
      metAt = now().getTime()
      void due()
    },
    close: () => clearInterval(timer),
  }
}

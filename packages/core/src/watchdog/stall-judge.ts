import { BEAT_MS } from './words.ts'

/** Observation of the main thread at one moment. */
export interface Sign {
  /** By the watchdog's own clock, in milliseconds. */
  readonly now: number
  /** Grows with each sign that the main thread gives. */
  readonly beat: number
  /** True if a debugger is attached, in which somebody may stop the main thread on purpose. */
  readonly isDebugged: boolean
}

/** Result of judging one observation. */
interface Verdict {
  /** Time for which the main thread has been doing the same thing, in milliseconds. */
  readonly ms: number
  /** True if the main thread has given a sign since, so that a reported stall is over. */
  readonly goesOn: boolean
  /** True if a reported stall no longer counts. */
  readonly isForgotten: boolean
  /** Whether it is to be found out now what keeps it; `sampled` is to be called when that is done. */
  readonly isDue: boolean
}

/** Judges one sign after the other. */
interface StallJudge {
  see(sign: Sign): Verdict
  /** It was found out what keeps the main thread. */
  sampled(): void
}

/**
 * Makes the judge of stalls, which compares each sign of the main thread with the one before: a stall is reported at a bound, and again whenever it has lasted twice as
 * long. When the judging thread did not run itself, as under a SIGSTOP or on an overloaded machine, it draws no conclusion.
 */
export function createStallJudge(stallMs: number, first: Pick<Sign, 'now' | 'beat'>): StallJudge {
  let { beat: last, now: since } = first
  let lastLook = since
  let next = stallMs
  let isSampling = false
  return {
    see({ now, beat, isDebugged }) {
      const isBlind = now - lastLook > BEAT_MS * 2 + stallMs / 2
      lastLook = now
      const goesOn = beat !== last
      const ms = Math.round(now - since)
      if (goesOn || isBlind || isDebugged) {
        last = beat
        since = now
        next = stallMs
        return { ms, goesOn, isForgotten: goesOn || isBlind, isDue: false }
      }
      const isDue = now - since >= next && !isSampling
      if (isDue) {
        next *= 2
        isSampling = true
      }
      return { ms, goesOn, isForgotten: false, isDue }
    },
    sampled() {
      isSampling = false
    },
  }
}

/** Tells whether a package that takes too long to load has blocked its thread: the thread has given no sign since, and no debugger has paused it. */
export function isStuck(last: number, { beat, isDebugged }: Omit<Sign, 'now'>): boolean {
  return beat === last && !isDebugged
}

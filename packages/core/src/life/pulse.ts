/** Signal that makes the follower look whether something is due. */
export interface Pulse {
  /** @returns ends it */
  start(beat: () => Promise<void>): () => void
}

/** Interval at which the follower looks whether something is due, in milliseconds. */
const BEAT_MS = 1_000

/** Makes the pulse that beats once a second, whether or not the beat before has ended. */
export function createPulse(): Pulse {
  return {
    start(beat) {
      const timer = setInterval(() => void beat(), BEAT_MS)
      timer.unref()
      return () => clearInterval(timer)
    },
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Pieces of work that keep the event loop busy for many milliseconds, one after another and each in a turn of its own: however many come at
 * once, whatever else the service does gets its turn between two of them.
 *
 * @returns runs a piece when those before it are done; its outcome
 */
export function inTurns(): <T>(work: () => T | Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const outcome = last.then(() => nextTurn()).then(work)
    last = outcome.catch(() => undefined)
    return outcome
  }
}

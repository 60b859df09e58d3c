import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Makes a queue for pieces of work that keep the event loop busy for many milliseconds. It runs one after another, each in a turn of its own, so that the rest of the
 * service gets its turn between two of them.
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

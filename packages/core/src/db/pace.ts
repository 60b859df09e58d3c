import { setImmediate } from 'node:timers/promises'

/**
 * Makes the pause between two statements that run in this process. The pause costs nothing until statements have taken their share of a turn of the event loop; then each
 * caller waits for a turn of its own, so that many searches at once delay a request no longer than one does.
 *
 * @param shareMs milliseconds of a turn that statements may take
 */
export function createPause(shareMs: number): () => Promise<void> {
  let began = Number.NEGATIVE_INFINITY
  let last: Promise<void> = Promise.resolve()
  return async () => {
    if (performance.now() - began < shareMs) return
    const turn = last.then(async () => {
      await setImmediate()
      began = performance.now()
    })
    last = turn
    await turn
  }
}

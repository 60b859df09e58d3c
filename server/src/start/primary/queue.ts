/**
 * Makes a queue that does work one at a time. A call during the work waits for one more run, since its reason may have come too late for the run under way; all calls
 * during a run share the next one.
 */
export function createQueue<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  let next: Promise<T> | undefined
  const begin = () => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (!running) return begin()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return begin()
      })
    return next
  }
}

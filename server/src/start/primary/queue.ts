/**
 * Has work done one at a time. Whoever asks while it is being done waits for it to be done once more, since what he wants done may have come too late for the
 * one under way; all who ask meanwhile wait for the same.
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

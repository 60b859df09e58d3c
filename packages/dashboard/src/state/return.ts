/** Greatest distance between two signs of one return, in milliseconds: a choice of this project. */
const TOGETHER_MS = 1000

let last = Number.NEGATIVE_INFINITY

/**
 * Calls when the reader comes back: the tab is seen again, or the window gets the focus from another that stood beside it. A browser tells one return by both; it counts once.
 *
 * @returns what ends it
 */
export function onReturn(run: () => void): () => void {
  const onVisible = () => {
    if (document.hidden) return
    last = performance.now()
    run()
  }
  const focused = () => {
    if (performance.now() - last > TOGETHER_MS) run()
  }
  document.addEventListener('visibilitychange', onVisible)
  window.addEventListener('focus', focused)
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    window.removeEventListener('focus', focused)
  }
}

import { useEffect, useRef } from 'preact/hooks'

/** Does something every so many milliseconds, for as long as a part of the page is shown and the tab is seen. */
export function useEvery(ms: number, run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(() => {
    const timer = window.setInterval(() => {
      if (!document.hidden) latest.current()
    }, ms)
    return () => window.clearInterval(timer)
  }, [ms])
}

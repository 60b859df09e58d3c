import { useEffect, useState } from 'preact/hooks'

/** Below it a wait needs no picture, in milliseconds: a flash would be more restless than nothing. */
const QUIET_MS = 300
/** Widths of the bars, in percent. */
const WIDTHS = [62, 88, 74, 81, 57, 69]

/** Grey bars where something is being read, from 300 ms on; read out as `Loading`. */
export function Loading({ lines = 4 }: { readonly lines?: number }) {
  const [isVisible, setShown] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setShown(true), QUIET_MS)
    return () => window.clearTimeout(timer)
  }, [])
  return (
    <div class="bars" role="status" aria-label="Loading">
      {isVisible ? WIDTHS.slice(0, lines).map((width) => <span key={width} style={{ width: `${width}%` }} />) : null}
    </div>
  )
}

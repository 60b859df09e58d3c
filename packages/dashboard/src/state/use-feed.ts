import { useEffect, useRef, useState } from 'preact/hooks'
import { isAbort } from './abort.ts'
import { createFeed, type Feed, type FeedKind, type FeedOptions, type FeedState, NOTHING } from './feed.ts'
import { asFailure } from './resource.ts'
import { phase, signIns } from './session.ts'

/** Interval at which new rows are looked for, in milliseconds: a choice of this project, 6 of the 200 requests that a token has in a minute. */
const LOOK_MS = 10_000

/** A list as a part of the page shows it. */
export interface ShownFeed<T> extends FeedState<T> {
  older(): void
  show(): void
}

/**
 * Reads a list for as long as it is shown, from the newest on; anew when `key` changes. It is looked for new rows every 10 s while the tab is seen; a limit is waited for.
 *
 * @param begin called anew for each key, with how a page of it is read, and what its rows are
 */
export function useFeed<T>(key: string, begin: () => FeedKind<T> & Pick<FeedOptions<T>, 'read'>): ShownFeed<T> {
  const [state, setState] = useState<FeedState<T> & { readonly key: string }>({ ...NOTHING, key })
  const feed = useRef<Feed | null>(null)
  const latest = useRef(begin)
  latest.current = begin
  const since = signIns.value

  useEffect(() => {
    const mine = createFeed({
      ...latest.current(),
      changed: (now) => setState({ ...now, key }),
      failed: (error) => (isAbort(error) ? null : asFailure(error)),
    })
    feed.current = mine
    void mine.older()
    return () => mine.close()
  }, [key])

  // What a token that ended could not read is read with the next one.
  const began = useRef(since)
  useEffect(() => {
    if (began.current === since) return
    began.current = since
    void feed.current?.older()
  }, [since])

  useEffect(() => {
    const look = () => {
      if (!document.hidden && phase.peek() === 'in') void feed.current?.look()
    }
    const timer = window.setInterval(look, LOOK_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      window.clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])

  const { failure } = state
  useEffect(() => {
    if (failure?.kind !== 'limited' || failure.retryAt === null) return
    const timer = window.setTimeout(() => void feed.current?.older(), Math.max(1000, failure.retryAt - Date.now()))
    return () => window.clearTimeout(timer)
  }, [failure])

  const view = state.key === key ? state : { ...NOTHING, reading: true }
  return { ...view, older: () => void feed.current?.older(), show: () => feed.current?.show() }
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { AuditPage } from '../../api/audit.ts'
import type { Query } from '../../api/client.ts'
import { asFailure, isAbort } from '../../state/resource.ts'
import { api, phase, signIns } from '../../state/session.ts'
import { createFeed, type Feed, type FeedState, NOTHING } from './feed.ts'

/** Records of a page: the most that the API gives at once. */
const PAGE = 200
/** How often it is looked for what is new, in milliseconds: a choice of this project, 6 of the 200 requests that a token has in a minute. */
const LOOK_MS = 10_000

/** The audit log as a part of the page shows it. */
export interface ShownFeed extends FeedState {
  older(): void
  show(): void
}

/**
 * Reads the log for as long as it is shown, from the newest on; anew when `key` changes. It is looked for new records every 10 s while the tab is seen; a limit is waited
 * for.
 *
 * @param ask what is asked for, but for the page
 */
export function useFeed(key: string, ask: () => Query): ShownFeed {
  const [state, setState] = useState<FeedState & { readonly key: string }>({ ...NOTHING, key })
  const feed = useRef<Feed | null>(null)
  const latest = useRef(ask)
  latest.current = ask
  const since = signIns.value

  useEffect(() => {
    const asked = latest.current()
    const mine = createFeed({
      read: (part, signal) => api.call<AuditPage>('audit', { signal, query: { ...asked, collapse: true, limit: PAGE, ...part } }),
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

  const shown = state.key === key ? state : { ...NOTHING, reading: true }
  return { ...shown, older: () => void feed.current?.older(), show: () => feed.current?.show() }
}

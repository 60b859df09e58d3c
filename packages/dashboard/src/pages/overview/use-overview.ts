import { useRef } from 'preact/hooks'
import type { Overview, Window } from '../../api/overview.ts'
import { isAbort } from '../../state/abort.ts'
import { useEvery } from '../../state/every.ts'
import { type Resource, useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'

/** Interval at which the figures are read again, in milliseconds: a choice of this project. */
const AGAIN_MS = 15_000

/** Figures, and when they came. */
interface Figures {
  readonly overview: Overview
  /** ISO-8601, of the reader's clock. */
  readonly at: string
}

/** The figures of a window, or the last ones while others are read or cannot be. */
interface OverviewState extends Pick<Resource<Figures>, 'failure' | 'reload'> {
  readonly figures: Figures | undefined
  /** True while the figures that are shown are of another window than what was asked for. */
  readonly behind: boolean
  /** Time since which no reading has succeeded; null while the last one did. */
  readonly failingSince: string | null
}

/** Reads the overview, and again every 15 seconds while the tab is seen. Another window's figures stay until the new ones are there; another account's do not. */
export function useOverview(account: string | null, window: Window): OverviewState {
  const since = useRef<string | null>(null)
  const last = useRef<{ readonly account: string | null; readonly figures: Figures } | null>(null)
  const { value, failure, loading, reload } = useResource<Figures>(`overview ${account ?? ''} ${window}`, async (signal) => {
    try {
      const overview = await api.call<Overview>('overview', { query: { account, window }, signal })
      since.current = null
      return { overview, at: new Date().toISOString() }
    } catch (error) {
      if (!isAbort(error)) since.current ??= new Date().toISOString()
      throw error
    }
  })
  if (value) last.current = { account, figures: value }
  else if (last.current?.account !== account) last.current = null
  // One that is under way is not begun anew, or a slow service would never be heard; a limit is waited for by itself.
  useEvery(AGAIN_MS, () => {
    if (!loading && failure?.kind !== 'limited') reload()
  })
  return { figures: last.current?.figures, behind: value === undefined, failure, failingSince: failure ? since.current : null, reload }
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { ApiFailure } from '../api/failure.ts'
import { isAbort } from './abort.ts'
import { onReturn } from './return.ts'
import { phase, signIns } from './session.ts'

/** Something that is read from the service for as long as a part of the page is shown. */
export interface Resource<T> {
  /** Value that was read last; kept while it is read anew, and when that fails. */
  readonly value: T | undefined
  /** Error of the last attempt; undefined: it succeeded. */
  readonly failure: ApiFailure | undefined
  readonly loading: boolean
  reload(): void
  /** Puts in what an action answered, without reading again. */
  set(value: T): void
}

/**
 * Reads when shown, when `key` changes (what was read for another key is dropped), after each sign-in, when the reader comes back to the tab, and once more when a limit
 * said to wait. Leaving aborts what is under way.
 *
 * @param key what the reading depends on, as text
 */
export function useResource<T>(key: string, read: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const [round, setRound] = useState(0)
  const [state, setState] = useState<{ key: string; value?: T; failure?: ApiFailure; loading: boolean }>({ key, loading: true })
  const latest = useRef(read)
  latest.current = read
  const since = signIns.value

  // `since` and `round` are reasons to read again.
  useEffect(() => {
    if (phase.peek() !== 'in') return
    const abort = new AbortController()
    let again: number | undefined
    setState((old) => (old.key === key ? { ...old, loading: true } : { key, loading: true }))
    latest.current(abort.signal).then(
      (value) => {
        if (!abort.signal.aborted) setState({ key, value, loading: false })
      },
      (error: unknown) => {
        if (abort.signal.aborted || isAbort(error)) return
        const failure = asFailure(error)
        setState((old) => ({ ...old, key, failure, loading: false }))
        if (failure.kind === 'limited' && failure.retryAt !== null)
          again = window.setTimeout(() => setRound((n) => n + 1), Math.max(1000, failure.retryAt - Date.now()))
      },
    )
    const stop = onReturn(() => setRound((n) => n + 1))
    return () => {
      stop()
      window.clearTimeout(again)
      abort.abort()
    }
  }, [key, since, round])

  const view = state.key === key ? state : { key, loading: true }
  return {
    value: view.value,
    failure: view.failure,
    loading: view.loading,
    reload: () => setRound((n) => n + 1),
    set: (value) => setState({ key, value, loading: false }),
  }
}

/** Turns any error into a failure, so that a fault of the page itself is shown too. */
export function asFailure(error: unknown): ApiFailure {
  if (error instanceof ApiFailure) return error
  return new ApiFailure(`This page has a fault: ${error instanceof Error ? error.message : String(error)}`, { kind: 'failed' })
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../api/failure.ts'
import { isAbort } from './abort.ts'
import { useEvery } from './every.ts'
import { type ListPart, withHead, withPart } from './pages.ts'
import { asFailure, useResource } from './resource.ts'

/** Interval at which the first part is read again, in milliseconds: a choice of this project, 2 of the 200 requests that a token has in a minute. */
const AGAIN_MS = 30_000

/** A list as far as it was read. `P` is a part of it, with whatever else the service says beside the rows. */
export interface PartedList<T, P> {
  readonly rows: readonly T[]
  /** The first part, as it was read last; undefined: nothing was read yet. */
  readonly head: P | undefined
  /** Cursor of the next part; null: all was read. */
  readonly next: string | null
  /** ISO-8601: when the first part came. */
  readonly at: string | null
  readonly reading: boolean
  /** Error of the last reading of a further part. */
  readonly failure: ApiFailure | undefined
  /** Error of the last reading of the first part. */
  readonly headFailure: ApiFailure | undefined
  /** True while the rows that are shown are of the filter before. */
  readonly behind: boolean
  older(): void
  reload(): void
}

interface Rows<T> {
  readonly key: string
  readonly rows: readonly T[]
  readonly next: string | null
  readonly isLonger: boolean
}

/**
 * Reads a list in parts for as long as it is shown, and its first part again every 30 s. Rows of the filter before stay until others are there; those of another scope do not.
 *
 * @param key what the list depends on, as text
 * @param scope what nothing may outlast, such as the account
 */
export function usePages<T, P extends ListPart<T>>({
  key,
  scope,
  idOf,
  read,
}: {
  readonly key: string
  readonly scope: string
  idOf(row: T): string
  read(after: string | undefined, signal: AbortSignal): Promise<P>
}): PartedList<T, P> {
  const first = useResource(`${scope} ${key}`, async (signal) => ({ part: await read(undefined, signal), at: new Date().toISOString() }))
  const last = useRef<{ readonly scope: string; readonly part: P; readonly at: string; readonly rows: Rows<T> } | null>(null)
  const [busy, setBusy] = useState<{ readonly key: string; readonly failure: ApiFailure | undefined; readonly reading: boolean } | null>(
    null,
  )
  const abort = useRef(new AbortController())
  const { value } = first
  if (value && last.current?.part !== value.part) {
    const before = last.current?.scope === scope && last.current.rows.key === key ? last.current.rows : null
    const isLonger = before?.isLonger ?? false
    const rows = withHead(before?.rows ?? [], value.part.rows, idOf, isLonger)
    const next = isLonger ? (before?.next ?? null) : value.part.next
    last.current = { scope, ...value, rows: { key, rows, next, isLonger } }
  } else if (last.current?.scope !== scope) last.current = null

  useEffect(() => {
    const mine = new AbortController()
    abort.current = mine
    return () => mine.abort(new DOMException('Nobody looks any more.', 'AbortError'))
  }, [scope, key])
  useEvery(AGAIN_MS, () => {
    if (!first.loading && first.failure?.kind !== 'limited') first.reload()
  })

  const older = () => {
    const { current } = last
    const { signal } = abort.current
    if (!current || current.rows.key !== key || current.rows.next === null || (busy?.key === key && busy.reading)) return
    setBusy({ key, failure: undefined, reading: true })
    read(current.rows.next, signal).then(
      ({ rows, next }) => {
        const now = last.current
        if (signal.aborted || !now) return
        last.current = { ...now, rows: { key, rows: withPart(now.rows.rows, rows, idOf), next, isLonger: true } }
        setBusy({ key, failure: undefined, reading: false })
      },
      (error: unknown) => {
        if (!signal.aborted) setBusy({ key, failure: isAbort(error) ? undefined : asFailure(error), reading: false })
      },
    )
  }

  const state = last.current
  const own = busy?.key === key ? busy : null
  return {
    rows: state?.rows.rows ?? [],
    head: state?.part,
    next: state?.rows.next ?? null,
    at: state?.at ?? null,
    reading: own?.reading ?? false,
    failure: own?.failure,
    headFailure: first.failure,
    behind: state !== null && state.rows.key !== key,
    older,
    reload: first.reload,
  }
}

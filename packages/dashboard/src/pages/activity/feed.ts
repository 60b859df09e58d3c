import type { AuditPage, AuditRecord } from '../../api/audit.ts'
import type { ApiFailure } from '../../api/failure.ts'

/** What was read of the audit log so far. */
export interface FeedState {
  /** Newest first; of each transaction its newest record. */
  readonly rows: readonly AuditRecord[]
  /** Cursor of what is older; null: there is nothing older; undefined: nothing was read yet. */
  readonly next: string | null | undefined
  /** Came since, and is not among the rows until the reader asks for it. */
  readonly fresh: readonly AuditRecord[]
  /** There is more that is new than was read of it. */
  readonly many: boolean
  readonly reading: boolean
  /** Why the last reading of older ones failed. */
  readonly failure: ApiFailure | undefined
}

/** Nothing read yet. */
export const NOTHING: FeedState = { rows: [], next: undefined, fresh: [], many: false, reading: false, failure: undefined }

/** What a feed is made of. */
export interface FeedOptions {
  /** Reads a page: what is older than a cursor, or what is not older than an instant. */
  read(part: { readonly before?: string; readonly from?: string }, signal: AbortSignal): Promise<AuditPage>
  changed(state: FeedState): void
  /** Turns an error into what is shown; null where it says only that nobody waits any more. */
  failed(error: unknown): ApiFailure | null
}

/** Reads the log page by page, and looks for what is new. */
export interface Feed {
  /** Reads on; does nothing while it does, and at the end. */
  older(): Promise<void>
  /** Looks for what is new. What cannot be read is tried the next time, without a word. */
  look(): Promise<void>
  /** Puts what is new among the rows; where there is too much of it, begins anew. */
  show(): void
  close(): void
}

/** How far back it is looked for what is new, in milliseconds: replicas write their records in groups, and their clocks differ. */
const OVERLAP_MS = 60_000

/** Makes a feed, which begins to read by `older`. */
export function createFeed({ read, changed, failed }: FeedOptions): Feed {
  const abort = new AbortController()
  let state = NOTHING
  let looking = false
  const set = (changes: Partial<FeedState>) => {
    if (abort.signal.aborted) return
    state = { ...state, ...changes }
    changed(state)
  }

  async function older(): Promise<void> {
    if (state.reading || state.next === null) return
    set({ reading: true, failure: undefined })
    try {
      let page: AuditPage
      // A search that took long answers a page without records, and where to go on.
      do {
        page = await read(state.next === undefined ? {} : { before: state.next ?? '' }, abort.signal)
        set({ rows: withOlder(state.rows, page.records), next: page.next })
      } while (page.records.length === 0 && page.next !== null && !abort.signal.aborted)
      set({ reading: false })
    } catch (error) {
      const failure = failed(error)
      set(failure ? { reading: false, failure } : { reading: false })
    }
  }

  async function look(): Promise<void> {
    if (looking || state.reading || state.next === undefined) return
    looking = true
    try {
      const newest = newestOf(state)
      const page = await read(
        newest === undefined ? {} : { from: new Date(Date.parse(newest.time) - OVERLAP_MS).toISOString() },
        abort.signal,
      )
      set(withNewer(state, page))
      // Nothing is pushed away where nothing was.
      if (state.rows.length === 0 && state.fresh.length > 0) show()
    } catch {
      // The next look comes soon; what the reader asks for himself says why it fails.
    } finally {
      looking = false
    }
  }

  function show(): void {
    if (state.many) {
      set({ ...NOTHING })
      void older()
    } else set({ rows: withFresh(state), fresh: [] })
  }

  return { older, look, show, close: () => abort.abort(new DOMException('Nobody looks any more.', 'AbortError')) }
}

/** What is one line: a transaction, or a request that belongs to none. */
export function lineOf({ id, account, unsigned_hash }: Pick<AuditRecord, 'id' | 'account' | 'unsigned_hash'>): string {
  return unsigned_hash === null ? id : `${account} ${unsigned_hash}`
}

/** Rows with older records after them, without a second line for a transaction. */
export function withOlder(rows: readonly AuditRecord[], records: readonly AuditRecord[]): readonly AuditRecord[] {
  if (records.length === 0) return rows
  const known = new Set(rows.map(lineOf))
  return [...rows, ...records.filter((record) => !known.has(lineOf(record)))]
}

/** What a look for new records changes: those that are there already are as they are now, the others wait. */
export function withNewer({ rows, fresh }: FeedState, { records, next }: AuditPage): Pick<FeedState, 'rows' | 'fresh' | 'many'> {
  const found = new Map(records.map((record) => [record.id, record]))
  let changed = false
  const renewed = rows.map((row) => {
    const now = found.get(row.id)
    if (!now || (now.outcome === row.outcome && now.steps.length === row.steps.length)) return row
    changed = true
    return now
  })
  const known = new Set(rows.map(({ id }) => id))
  const came = records.filter(({ id }) => !known.has(id))
  const meets = records.some(({ id }) => known.has(id))
  return {
    rows: changed ? renewed : rows,
    fresh: newestFirst([...came, ...fresh.filter(({ id }) => !found.has(id))]),
    many: next !== null && !meets && came.length > 0,
  }
}

/** Rows with what is new among them: a transaction moves to where its newest record belongs. */
export function withFresh({ rows, fresh }: Pick<FeedState, 'rows' | 'fresh'>): readonly AuditRecord[] {
  return newestFirst([...fresh, ...rows])
}

/** In order of time, each line once. */
function newestFirst(records: readonly AuditRecord[]): readonly AuditRecord[] {
  const ordered = [...records].sort((a, b) => (a.time === b.time ? compare(b.id, a.id) : compare(b.time, a.time)))
  const lines = new Set<string>()
  return ordered.filter((record) => {
    const line = lineOf(record)
    if (lines.has(line)) return false
    lines.add(line)
    return true
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function newestOf({ rows, fresh }: FeedState): AuditRecord | undefined {
  return fresh[0] ?? rows[0]
}

import type { ApiFailure } from '../api/failure.ts'

/** A part of a list. */
export interface FeedPage<T> {
  /** Newest first. */
  readonly rows: readonly T[]
  /** Cursor of what is older; null: there is nothing older. */
  readonly next: string | null
}

/** Kind of the rows of a list. */
export interface FeedKind<T> {
  idOf(row: T): string
  /** ISO-8601: the list is in its order, newest first. */
  timeOf(row: T): string
  /** The same for rows that are one line, of which the newest is shown. */
  lineOf(row: T): string
  /** Tells whether a row that was read anew says what it said before. */
  isSame(before: T, now: T): boolean
  /** Tells whether a row that came since belongs to what is looked for. @default each does */
  fits?(row: T): boolean
}

/** State of a list, as read so far. */
export interface FeedState<T> {
  /** Newest first; of each line its newest row. */
  readonly rows: readonly T[]
  /** Cursor of what is older; null: there is nothing older; undefined: nothing was read yet. */
  readonly next: string | null | undefined
  /** Came since, and is not among the rows until the reader asks for it. */
  readonly fresh: readonly T[]
  /** There is more that is new than was read of it. */
  readonly many: boolean
  readonly reading: boolean
  /** Error of the last reading of older rows; undefined: it succeeded. */
  readonly failure: ApiFailure | undefined
}

/** Nothing read yet. */
export const NOTHING: FeedState<never> = { rows: [], next: undefined, fresh: [], many: false, reading: false, failure: undefined }

/** Which part is read: what is older than a cursor; or the newest, where it is enough to read what is not older than an instant. */
export interface FeedPart {
  readonly before?: string
  readonly newest?: true
  /** ISO-8601. */
  readonly from?: string
}

/** Rows of a page: the most that the API gives at once. */
export const FEED_PAGE = 200

/** Options of a feed. */
export interface FeedOptions<T> extends FeedKind<T> {
  read(part: FeedPart, signal: AbortSignal): Promise<FeedPage<T>>
  changed(state: FeedState<T>): void
  /** Turns an error into what is shown; null where it says only that nobody waits any more. */
  failed(error: unknown): ApiFailure | null
}

/** Reads a list page by page, and looks for what is new. */
export interface Feed {
  /** Reads on; does nothing while it does, and at the end. */
  older(): Promise<void>
  /** Looks for what is new. What cannot be read is tried the next time, without a word. */
  look(): Promise<void>
  /** Puts what is new among the rows; where there is too much of it, begins anew. */
  show(): void
  close(): void
}

/** Time that a look for new rows reaches back, in milliseconds: replicas write their records in groups, and their clocks differ. */
const OVERLAP_MS = 60_000

/** Makes a feed, which begins to read by `older`. */
export function createFeed<T>({ read, changed, failed, ...kind }: FeedOptions<T>): Feed {
  const abort = new AbortController()
  let state: FeedState<T> = NOTHING
  let looking = false
  const set = (changes: Partial<FeedState<T>>) => {
    if (abort.signal.aborted) return
    state = { ...state, ...changes }
    changed(state)
  }

  async function older(): Promise<void> {
    if (state.reading || state.next === null) return
    set({ reading: true, failure: undefined })
    try {
      let page: FeedPage<T>
      // A search that took long answers a page without rows, and where to go on.
      do {
        page = await read(state.next === undefined ? {} : { before: state.next ?? '' }, abort.signal)
        set({ rows: withOlder(state.rows, page.rows, kind), next: page.next })
      } while (page.rows.length === 0 && page.next !== null && !abort.signal.aborted)
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
      const newest = state.fresh[0] ?? state.rows[0]
      const from = newest === undefined ? {} : { from: new Date(Date.parse(kind.timeOf(newest)) - OVERLAP_MS).toISOString() }
      const page = await read({ newest: true, ...from }, abort.signal)
      set(withNewer(state, page, kind))
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
    } else set({ rows: newestFirst([...state.fresh, ...state.rows], kind), fresh: [] })
  }

  return { older, look, show, close: () => abort.abort(new DOMException('Nobody looks any more.', 'AbortError')) }
}

/** Rows with older ones after them, without a second row for a line. */
function withOlder<T>(rows: readonly T[], older: readonly T[], { lineOf }: FeedKind<T>): readonly T[] {
  if (older.length === 0) return rows
  const lineIds = new Set(rows.map(lineOf))
  return [...rows, ...older.filter((row) => !lineIds.has(lineOf(row)))]
}

/** Adds the rows of a look for new ones: rows that are there already become as they are now, the others wait. */
function withNewer<T>(
  { rows, fresh }: FeedState<T>,
  page: FeedPage<T>,
  { idOf, isSame, fits = () => true, ...kind }: FeedKind<T>,
): Pick<FeedState<T>, 'rows' | 'fresh' | 'many'> {
  const rowsById = new Map(page.rows.map((row) => [idOf(row), row]))
  let changed = false
  const renewed = rows.map((row) => {
    const now = rowsById.get(idOf(row))
    if (now === undefined || isSame(row, now)) return row
    changed = true
    return now
  })
  const ids = new Set(rows.map(idOf))
  const came = page.rows.filter((row) => !ids.has(idOf(row)) && fits(row))
  const meets = page.rows.some((row) => ids.has(idOf(row)))
  return {
    rows: changed ? renewed : rows,
    fresh: newestFirst([...came, ...fresh.filter((row) => !rowsById.has(idOf(row)))], { idOf, isSame, ...kind }),
    many: page.next !== null && !meets && came.length > 0,
  }
}

/** In order of time, each line once. */
function newestFirst<T>(rows: readonly T[], { idOf, timeOf, lineOf }: FeedKind<T>): readonly T[] {
  const ordered = [...rows].sort((a, b) => compare(timeOf(b), timeOf(a)) || compare(idOf(b), idOf(a)))
  const lines = new Set<string>()
  return ordered.filter((row) => {
    const line = lineOf(row)
    if (lines.has(line)) return false
    lines.add(line)
    return true
  })
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

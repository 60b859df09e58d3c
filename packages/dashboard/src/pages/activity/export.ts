import { ApiFailure } from '../../api/failure.ts'

/** Form in which records are written. */
export type Format = 'csv' | 'jsonl'

/** Progress of an export. */
export interface ExportProgress {
  readonly records: number
  readonly bytes: number
  /** Parts that were written so far, one for each answer. */
  readonly parts: readonly Blob[]
  /** Cursor at which the export goes on; null: it is complete; undefined: it has not begun. */
  readonly next: string | null | undefined
  /** Time until which a limit makes the export wait, in milliseconds since 1970; null: it does not. */
  readonly waitsUntil: number | null
}

/** An export that has not begun. */
export const NONE: ExportProgress = { records: 0, bytes: 0, parts: [], next: undefined, waitsUntil: null }

/** Options of an export. */
interface ExportOptions {
  readonly format: Format
  /** Reads a part: its text, and the cursor of what is left. */
  read(before: string | undefined, signal: AbortSignal): Promise<{ readonly text: string; readonly headers: Headers }>
  changed(state: ExportProgress): void
  readonly signal: AbortSignal
  /** Resolves at an instant, in milliseconds since 1970, or rejects when the signal is aborted. */
  until(instant: number, signal: AbortSignal): Promise<void>
}

/**
 * Goes on with an export from where it stands to the end, part by part; a limit is waited for.
 *
 * @throws ApiFailure for a part that could not be read: what was told to `changed` last is kept, and can be gone on with
 */
export async function exportFrom(begin: ExportProgress, { format, read, changed, signal, until }: ExportOptions): Promise<ExportProgress> {
  let state = begin
  const set = (changes: Partial<ExportProgress>) => {
    state = { ...state, ...changes }
    changed(state)
  }
  while (state.next !== null) {
    try {
      const { text, headers } = await read(state.next, signal)
      const part = state.parts.length > 0 && format === 'csv' ? withoutHead(text) : text
      const blob = new Blob([part])
      set({
        records: state.records + recordsIn(text, format),
        bytes: state.bytes + blob.size,
        parts: [...state.parts, blob],
        next: headers.get('x-next') || null,
      })
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.kind !== 'limited' || error.retryAt === null) throw error
      set({ waitsUntil: error.retryAt })
      await until(error.retryAt, signal)
      set({ waitsUntil: null })
    }
  }
  return state
}

/** Counts the records of a text. A line break within a quoted cell begins none. */
export function recordsIn(text: string, format: Format): number {
  const lines = (format === 'csv' ? text.replace(/"[^"]*"/g, '""') : text).split('\n').filter((line) => line.trim() !== '').length
  return format === 'csv' ? Math.max(0, lines - 1) : lines
}

/** Names of columns stand once, above everything. */
function withoutHead(text: string): string {
  const end = text.indexOf('\n')
  return end < 0 ? '' : text.slice(end + 1)
}

/** Names the file of an export by the time at which it was made, to the minute, in UTC. */
export function fileName(format: Format, now: Date): string {
  return `activity-${now.toISOString().slice(0, 16).replace(':', '')}Z.${format}`
}

import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../../api/failure.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Note } from '../../parts/note.tsx'
import { Segments } from '../../parts/select.tsx'
import { Time } from '../../parts/time.tsx'
import { account } from '../../state/account.ts'
import { asFailure, isAbort } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { count } from '../../text/amount.ts'
import { type Exported, exportFrom, type Format, fileName, NONE, sizeText } from './export.ts'
import { type Filters, isNarrowed, PERIODS, toQuery } from './filters.ts'

/** Most records of one answer, as the API allows. */
const PART = 10_000
const FORMATS: readonly { readonly value: Format; readonly label: string }[] = [
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSON lines' },
]

/** Writes what the filters say into a file, part by part: with progress, to be cancelled, and to be gone on with when a part fails. */
export function ExportDialog({ filters, onClose }: { readonly filters: Filters; readonly onClose: () => void }) {
  const [format, setFormat] = useState<Format>('csv')
  const [state, setState] = useState<Exported>(NONE)
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const abort = useRef(new AbortController())
  // Every part is of the same time, whenever it is read.
  const query = useRef(toQuery(filters, account.value, Date.now()))
  useEffect(() => () => abort.current.abort(new DOMException('The export was cancelled.', 'AbortError')), [])

  const run = async () => {
    setRunning(true)
    setFailure(null)
    try {
      const done = await exportFrom(state, {
        format,
        changed: setState,
        signal: abort.current.signal,
        until,
        read: (before, signal) => api.text('audit/export', { signal, query: { ...query.current, format, limit: PART, before } }),
      })
      save(done, format)
    } catch (error) {
      if (!isAbort(error)) setFailure(asFailure(error))
    } finally {
      setRunning(false)
    }
  }
  const began = state.next !== undefined
  const complete = state.next === null
  const period = PERIODS.find(({ value }) => value === filters.period)?.label ?? ''
  return (
    <Dialog
      title="Export"
      about={`Every record of ${filters.period === 'all' ? 'all time' : filters.period === 'custom' ? 'the chosen times' : `the last ${period}`}${isNarrowed(filters) ? ' that the filters let through' : ''}, a line for each request.`}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{complete ? 'Close' : 'Cancel'}</Button>
          {complete ? (
            <Button kind="primary" onClick={() => save(state, format)}>
              Save again
            </Button>
          ) : (
            <Button kind="primary" busy={running} onClick={() => void run()}>
              {running ? 'Exporting…' : began ? 'Go on' : 'Export'}
            </Button>
          )}
        </>
      }
    >
      {began || running ? null : <Segments label="Format" value={format} options={FORMATS} onValue={setFormat} />}
      <p role="status" class="num">
        {began || running ? `${count(state.records)} records, ${sizeText(state.bytes)}${complete ? ': saved.' : ' so far.'}` : ''}
        {state.waitsUntil === null ? null : (
          <>
            {' '}
            The limit is used up; it goes on at <Time at={new Date(state.waitsUntil).toISOString()} form="time" />.
          </>
        )}
      </p>
      {failure ? (
        <Note kind="bad" alert>
          {failure.message} {began ? 'What was read so far is kept: go on where it stopped.' : ''}
        </Note>
      ) : null}
    </Dialog>
  )
}

/** Gives the browser a file to keep. */
function save({ parts }: Exported, format: Format): void {
  const address = URL.createObjectURL(new Blob([...parts], { type: format === 'csv' ? 'text/csv' : 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName(format, new Date())
  link.click()
  // The browser has it by then; a minute is what a slow one needs to ask where to.
  window.setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

function until(instant: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = window.setTimeout(done, Math.max(1000, instant - Date.now()))
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer)
      fail(signal.reason)
    })
  })
}

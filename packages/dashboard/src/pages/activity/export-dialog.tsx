import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiFailure } from '../../api/failure.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Button } from '../../parts/form/button.tsx'
import { Check } from '../../parts/form/field.tsx'
import { Segments } from '../../parts/form/select.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { saveFile } from '../../parts/value/save-file.ts'
import { Time } from '../../parts/value/time.tsx'
import { isAbort } from '../../state/abort.ts'
import { account } from '../../state/account.ts'
import { asFailure } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { count } from '../../text/amount.ts'
import { sizeText } from '../../text/size.ts'
import { type ExportProgress, exportFrom, type Format, fileName, NONE } from './export.ts'
import { aboutExport, READS_LEFT_OUT } from './export-words.ts'
import { type Filters, toQuery } from './filters.ts'

/** Most records of one answer, as the API allows. */
const PART = 10_000
const FORMATS: readonly { readonly value: Format; readonly label: string }[] = [
  { value: 'csv', label: 'CSV' },
  { value: 'jsonl', label: 'JSON lines' },
]

/** Type of each form. */
const TYPES: Readonly<Record<Format, string>> = { csv: 'text/csv', jsonl: 'application/jsonl' }

/** Writes what the filters say into a file, part by part: with progress, to be cancelled, and to be gone on with when a part fails. */
export function ExportDialog({ filters, onClose }: { readonly filters: Filters; readonly onClose: () => void }) {
  const [format, setFormat] = useState<Format>('csv')
  const [reads, setReads] = useState(filters.reads)
  const [state, setState] = useState<ExportProgress>(NONE)
  const [running, setRunning] = useState(false)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const abort = useRef(new AbortController())
  // Every part is of the same time, whenever it is read.
  const now = useRef(Date.now())
  const query = toQuery({ ...filters, reads }, account.value, now.current)
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
        read: (before, signal) => api.text('audit/export', { signal, query: { ...query, format, limit: PART, before } }),
      })
      saveFile(done.parts, TYPES[format], fileName(format, new Date()))
    } catch (error) {
      if (!isAbort(error)) setFailure(asFailure(error))
    } finally {
      setRunning(false)
    }
  }
  const began = state.next !== undefined
  const complete = state.next === null
  return (
    <Dialog
      title="Export"
      about={aboutExport(filters)}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{complete ? 'Close' : 'Cancel'}</Button>
          {complete ? (
            <Button kind="primary" onClick={() => saveFile(state.parts, TYPES[format], fileName(format, new Date()))}>
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
      {began || running ? (
        <p>{reads ? 'With reads that ended well.' : READS_LEFT_OUT}</p>
      ) : (
        <>
          <Segments label="Format" value={format} options={FORMATS} onValue={setFormat} />
          <Check checked={reads} onChecked={setReads}>
            Reads too
          </Check>
          {reads ? null : (
            <p class="muted">{READS_LEFT_OUT} They are most of what is asked; choose “Reads too” for a file that leaves nothing out.</p>
          )}
        </>
      )}
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

function until(instant: number, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    const timer = window.setTimeout(done, Math.max(1000, instant - Date.now()))
    signal.addEventListener('abort', () => {
      window.clearTimeout(timer)
      fail(signal.reason)
    })
  })
}

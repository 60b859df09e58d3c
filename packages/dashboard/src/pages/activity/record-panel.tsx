import { useEffect, useState } from 'preact/hooks'
import type { AuditPage, AuditRecord } from '../../api/audit.ts'
import { ApiFailure } from '../../api/failure.ts'
import { Panel } from '../../parts/dialog/panel.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { account } from '../../state/account.ts'
import { sawAlarm } from '../../state/alarms.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { partsOf } from '../../text/sentence.ts'
import { Standing } from './columns.tsx'
import { FactsOf } from './record-facts.tsx'
import { MovesOf } from './record-moves.tsx'
import { StepsOf } from './record-steps.tsx'
import { titleOf } from './words.ts'

/** Most records of one transaction that are read: as many steps as the API tells. */
const MOST = 50

/** One record beside the list, with all that is known of its transaction. */
export function RecordPanel({
  requestId,
  known: row,
  onClose,
  onMove,
}: {
  readonly requestId: string
  /** From the list, where it is there. */
  readonly known: AuditRecord | undefined
  readonly onClose: () => void
  readonly onMove: (step: 1 | -1) => void
}) {
  return (
    <Panel
      title={row?.unsigned_hash || row === undefined ? 'Transaction' : 'Request'}
      actions={<Copy text={location.href} label="Copy link" bare />}
      onClose={onClose}
      onMove={onMove}
    >
      <Content requestId={requestId} known={row} />
    </Panel>
  )
}

function Content({ requestId, known: row }: { readonly requestId: string; readonly known: AuditRecord | undefined }) {
  // Of a transaction every request, with who sent it and how long it took; the list knows the newest alone.
  const hash = row?.unsigned_hash ?? null
  const { value, failure, loading, reload } = useResource(`record ${requestId} ${hash ?? ''} ${row?.id ?? ''}`, (signal) =>
    readRecord(requestId, row, signal),
  )
  const record = value?.record ?? row
  useEffect(() => {
    if (record?.error?.code === 'DECODE_MISMATCH') sawAlarm(record.request_id)
  }, [record])
  if (!record) return failure ? <ErrorState failure={failure} onRetry={reload} /> : <Loading lines={5} />
  return (
    <>
      <section>
        <Summary record={record} />
      </section>
      <MovesOf record={record} />
      {record.steps.length > 0 ? (
        <StepsOf steps={record.steps} records={value?.records ?? [record]} current={record.request_id} loading={loading && !value} />
      ) : null}
      {failure && !value ? <ErrorState failure={failure} onRetry={reload} /> : null}
      <FactsOf record={record} />
      <Raw record={record} />
    </>
  )
}

/** The record as the API gave it, written out when it is asked for. */
function Raw({ record }: { readonly record: AuditRecord }) {
  const [open, setOpen] = useState(false)
  const text = open ? JSON.stringify(record, null, 2) : ''
  return (
    <section>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Raw JSON</summary>
        {open ? (
          <div class="raw">
            <Copy text={text} label="Copy JSON" />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard. */}
            <section class="code mono" tabIndex={0} aria-label="Raw JSON">
              {text}
            </section>
          </div>
        ) : null}
      </details>
    </section>
  )
}

interface Read {
  readonly record: AuditRecord
  /** Records of its transaction, newest first; itself where there is none. */
  readonly records: readonly AuditRecord[]
}

async function readRecord(requestId: string, row: AuditRecord | undefined, signal: AbortSignal): Promise<Read> {
  const ask = (query: Readonly<Record<string, string>>) =>
    api.call<AuditPage>('audit', { signal, query: { account: account.value, limit: MOST, ...query } })
  const record = row ?? (await ask({ request_id: requestId })).records[0]
  if (!record) {
    throw new ApiFailure(
      'There is no such record, or your token may not see it. A record that is seconds old may not be kept yet: try again.',
      {
        kind: 'missing',
      },
    )
  }
  if (record.unsigned_hash === null) return { record, records: [record] }
  const { records } = await ask({ transaction: record.unsigned_hash })
  return { record, records: records.filter((each) => each.account === record.account) }
}

function Summary({ record }: { readonly record: AuditRecord }) {
  const { sentence, error, outcome, action, tx_hash: hash } = record
  return (
    <>
      <p class="sentence">{sentence === null ? titleOf(record) : partsOf(sentence).deed}</p>
      <div>
        <Standing record={record} />
      </div>
      {error?.sentence ? <p class="break">{error.sentence}</p> : null}
      {error?.code === 'DECODE_MISMATCH' ? (
        <Note kind="bad">
          The bytes that were crafted did not do what was asked, so nothing was handed out. The service, a library or an endpoint is at
          fault or was tampered with: the log line with this request id says what differed. Craft nothing with this protocol before it is
          explained.
        </Note>
      ) : null}
      {outcome === 'open' && action === 'broadcast' ? (
        <Note kind="warn">
          It was sent, and no answer was kept. It may be on the chain{hash === null ? '' : ': look its hash up'} before you send anything in
          its place.
        </Note>
      ) : null}
    </>
  )
}

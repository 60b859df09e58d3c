import type { AuditRecord } from '../../api/audit.ts'
import { timeColumn, walletColumn } from '../../parts/common-columns.tsx'
import { State, Tag } from '../../parts/state.tsx'
import { Steps } from '../../parts/steps.tsx'
import type { Column } from '../../parts/table-column.ts'
import { partsOf } from '../../text/sentence.ts'
import { standingOf } from './progress.ts'
import { hasWords, titleOf, whoOf } from './words.ts'

/** Columns of the list. @param accounts whether it says whose each record is @param snug whether the window has no room for all of them */
export function columnsOf(accounts: boolean, snug: boolean): readonly Column<AuditRecord>[] {
  return [
    timeColumn(({ time }) => time),
    {
      key: 'by',
      head: accounts ? 'Account, key' : 'Key',
      width: accounts ? '150px' : '120px',
      phone: 'rest',
      muted: true,
      cell: (record) => [...(accounts && record.account !== '' ? [record.account] : []), whoOf(record)].join(' / '),
    },
    { key: 'what', head: 'What', width: 'minmax(0, 1fr)', phone: 'main', cell: (record) => <What record={record} /> },
    ...(snug ? [] : [walletColumn<AuditRecord>()]),
    { key: 'state', head: 'Steps', width: '196px', cell: (record) => <Standing record={record} /> },
  ]
}

function What({ record }: { readonly record: AuditRecord }) {
  const { sentence, protocol, network } = record
  const title = titleOf(record)
  const place = sentence === null ? [protocol, network].filter(Boolean).join(', ') : partsOf(sentence).place
  return (
    <>
      <span class={hasWords(record) ? '' : 'mono muted'}>{title}</span>
      {place && hasWords(record) ? <span class="muted"> on {place}</span> : null}
    </>
  )
}

/** How a record stands: three dots and a word, or a tint where it needs attention. */
export function Standing({ record }: { readonly record: AuditRecord }) {
  const standing = standingOf(record)
  if (standing.kind === 'steps') return <Steps done={standing.progress.done}>{standing.progress.word ?? ''}</Steps>
  if (standing.kind === 'done') return <State kind="ok">Done</State>
  return <Tag kind={standing.kind === 'open' ? 'warn' : 'bad'}>{standing.text}</Tag>
}

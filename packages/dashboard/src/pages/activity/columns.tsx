import type { AuditRecord } from '../../api/audit.ts'
import { Steps } from '../../parts/layout/steps.tsx'
import { amountColumn, networkColumn, timeColumn, walletColumn } from '../../parts/table/common-columns.tsx'
import type { Column } from '../../parts/table/table-column.ts'
import { State, Tag } from '../../parts/value/state.tsx'
import { named } from '../../state/names.ts'
import { mainAmount, type Token, tokenOf } from '../../text/moves.ts'
import { networkName, placeName } from '../../text/networks.ts'
import { inBrief, partsOf } from '../../text/sentence.ts'
import { type Again, againText } from './again.ts'
import { standingOf } from './progress.ts'
import { hasWords, titleOf, whoOf } from './words.ts'

/** Room that the window has for columns. */
interface Room {
  /** True if the table shows the account of each record. */
  readonly accounts: boolean
  /** True if there is no room for all columns. */
  readonly snug: boolean
  /** True if there is room for the wallet too. */
  readonly roomy: boolean
}

/** Columns of the list. @param again which records are the same as those before them, by their id */
export function columnsOf({ accounts, snug, roomy }: Room, again: ReadonlyMap<string, Again>): readonly Column<AuditRecord>[] {
  return [
    timeColumn(({ time }) => time),
    {
      key: 'by',
      head: accounts ? 'Account, key' : 'Key',
      width: accounts ? '150px' : '104px',
      phone: 'rest',
      muted: true,
      cell: (record) => [...(accounts && record.account !== '' ? [record.account] : []), whoOf(record)].join(' / '),
    },
    {
      key: 'what',
      head: 'What',
      width: 'minmax(0, 1fr)',
      phone: 'main',
      cell: (record) => <What record={record} again={again.get(record.id)} place={snug} />,
    },
    amountColumn(amountOf),
    ...(snug ? [] : [networkColumn<AuditRecord>((record) => placeOf(record))]),
    ...(roomy ? [walletColumn<AuditRecord>()] : []),
    { key: 'state', head: 'Steps', width: '184px', cell: (record) => <Standing record={record} /> },
  ]
}

function What({ record, again, place }: { readonly record: AuditRecord; readonly again: Again | undefined; readonly place: boolean }) {
  const { sentence } = record
  const amount = amountOf(record)
  const text = amount?.token ? `${amount.value} ${amount.token.symbol}` : null
  const title = sentence === null ? titleOf(record) : inBrief(partsOf(sentence).deed, text)
  const where = place && hasWords(record) ? placeOf(record) : null
  return (
    <>
      {again === undefined ? null : (
        <span class="again" title={AGAIN}>
          {againText(again)}
        </span>
      )}
      <span class={hasWords(record) ? '' : 'mono muted'}>{title}</span>
      {where === null ? null : <span class="muted"> on {where}</span>}
    </>
  )
}

const AGAIN = 'The same was crafted before, one after the other. Each is a transaction of its own, and can land by itself.'

/** What it is about: of a transaction by its bytes, else what was asked for, whose token nobody has looked up. */
function amountOf({ moves, asked, protocol, network }: AuditRecord): { readonly value: string; readonly token: Token | null } | null {
  const token = tokenOf(named.value, protocol, network)
  const value = mainAmount(moves, token)
  if (value !== null) return { value, token }
  const [wish] = Object.values(asked ?? {})
  return wish === undefined ? null : { value: wish, token: null }
}

function placeOf(record: AuditRecord): string | null {
  const { sentence, protocol, network } = record
  const phrase = sentence === null ? null : partsOf(sentence).place
  if (phrase !== null) return networkName(named.value, phrase, protocol)
  return hasWords(record) ? placeName(named.value, protocol, network) : null
}

/** Shows the state of a record: three dots and a word, or a tint where it needs attention. */
export function Standing({ record }: { readonly record: AuditRecord }) {
  const standing = standingOf(record)
  if (standing.kind === 'steps') return <Steps done={standing.progress.done}>{standing.progress.word ?? ''}</Steps>
  if (standing.kind === 'done') return <State kind="ok">Done</State>
  return <Tag kind={standing.kind === 'open' ? 'warn' : 'bad'}>{standing.text}</Tag>
}

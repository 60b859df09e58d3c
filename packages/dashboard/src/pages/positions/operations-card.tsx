import { useMemo } from 'preact/hooks'
import type { PositionDetail } from '../../api/positions.ts'
import { Card } from '../../parts/layout/card.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Table } from '../../parts/table/table.tsx'
import { Tag, type TagKind } from '../../parts/value/state.tsx'
import { narrow, snug } from '../../state/media.ts'
import { count } from '../../text/amount.ts'
import { countDays, type History, plural } from './history.ts'
import { operationColumns } from './operation-columns.tsx'
import { filtered, filterOf, type Operation, type OperationFilter, operationsOf } from './operations.ts'
import type { Place } from './place.ts'
import { useEntries } from './use-wallet.ts'

/** Words of each filter behind its number, and how it is drawn. */
const FILTERS: readonly { readonly filter: OperationFilter; readonly word: string; readonly many: string; readonly kind: TagKind }[] = [
  { filter: 'unexplained', word: 'unexplained', many: 'unexplained', kind: 'bad' },
  { filter: 'slashes', word: 'slash', many: 'slashes', kind: 'bad' },
  { filter: 'gaps', word: 'day not read', many: 'days not read', kind: 'warn' },
  { filter: 'rewards', word: 'reward', many: 'rewards', kind: 'plain' },
  { filter: 'flows', word: 'flow', many: 'flows', kind: 'plain' },
]

/** Shows every entry of the book in the time that is looked at, newest first, with what was not read as a line of its own. */
export function OperationsCard({
  place,
  range,
  position,
  history,
  filter,
  onFilter,
}: {
  readonly place: Place
  readonly range: string
  readonly position: PositionDetail
  readonly history: History
  readonly filter: OperationFilter | null
  readonly onFilter: (filter: OperationFilter | null) => void
}) {
  const { value, failure, reload } = useEntries(place, range)
  const { days, buckets, symbol, account } = position
  // Where several accounts watch the wallet, each has a book of it.
  const entries = useMemo(() => value?.entries.filter((entry) => entry.account === account), [value, account])
  const rows = useMemo(() => (entries === undefined ? undefined : operationsOf(entries, days)), [entries, days])
  const [thin, small] = [narrow.value, snug.value]
  const columns = useMemo(
    () => operationColumns(buckets, symbol ?? '', thin ? 'phone' : small ? 'snug' : 'plain'),
    [buckets, symbol, thin, small],
  )
  const { missing } = countDays(history)
  if (rows === undefined) {
    return <Card title="Operations">{failure ? <ErrorState failure={failure} onRetry={reload} /> : <Loading lines={6} />}</Card>
  }
  const visible = filtered(rows, filter)
  return (
    <section class="card operations">
      <header>
        <h2>Operations</h2>
        <span class="muted small num">
          {plural(entries?.length ?? 0, 'entry', 'entries')} in {plural(days.length, 'day')}
        </span>
        <div class="actions chips">
          {FILTERS.map(({ filter: name, word, many, kind }) => {
            const number = rows.filter((row) => filterOf(row) === name).length
            if (number === 0 && name !== filter) return null
            return (
              <Tag key={name} kind={kind} pressed={filter === name} onClick={() => onFilter(filter === name ? null : name)}>
                {plural(name === 'gaps' ? missing : number, word, many)}
              </Tag>
            )
          })}
        </div>
      </header>
      {value?.more ? (
        <p class="body muted small">
          These are the oldest {count(value.entries.length)} of that time, and there are more: choose a shorter one.
        </p>
      ) : null}
      {visible.length > 0 ? (
        <div class="bare">
          <Table<Operation>
            key={filter}
            label="Operations"
            columns={columns}
            rows={visible}
            keyOf={({ id }) => id}
            total={visible.length}
          />
        </div>
      ) : (
        <p class="body muted">{filter === null ? 'Nothing moved in this time.' : 'There is none of these any more.'}</p>
      )}
    </section>
  )
}

import { useMemo } from 'preact/hooks'
import { Table } from '../../parts/table/table.tsx'
import type { Column } from '../../parts/table/table-column.ts'
import { narrow } from '../../state/media.ts'
import { grouped } from '../../text/amount.ts'
import { decimalText } from '../../text/decimal.ts'
import { utcDay } from '../../text/utc-day.ts'
import { type History, type HistoryDay, ROLE_WORDS } from './history.ts'

/** Widths of a column of exact amounts, and of all that is beside them, in pixels. */
const AMOUNT_PX = 200
const FIXED_PX = 280

/** Shows the days of a wallet as a table, newest first, with every digit. */
export function HistoryTable({ history }: { readonly history: History }) {
  const thin = narrow.value
  const columns = useMemo(() => columnsOf(history, thin), [history, thin])
  const rows = useMemo(() => history.days.toReversed(), [history])
  return (
    <div class="days" style={{ '--days-width': `${FIXED_PX + AMOUNT_PX * (history.roles.length + 1)}px` }}>
      <Table label="Days" columns={columns} rows={rows} keyOf={({ day }) => day} />
    </div>
  )
}

function columnsOf({ roles, places }: History, thin: boolean): readonly Column<HistoryDay>[] {
  const exact = (units: bigint | null | undefined) => (units == null ? '–' : grouped(decimalText(units, places)))
  const day: Column<HistoryDay> = { key: 'day', head: 'Day, UTC', width: '96px', phone: 'main', cell: (row) => utcDay(row.day) }
  if (thin) {
    // A list on a phone has no heads, so its amounts come with their words, one below the other.
    const cell = (row: HistoryDay) => (
      <span class="lines">
        {roles.map((role, place) => (
          <span key={role}>
            {ROLE_WORDS[role]} {exact(row.amounts?.[place])}
          </span>
        ))}
        <span>Rewards {exact(row.earned)}</span>
      </span>
    )
    return [day, { key: 'all', head: 'Amounts', width: '1fr', cell }, { key: 'state', head: 'State', width: 'auto', cell: stateText }]
  }
  const amount = (key: string, head: string, of: (row: HistoryDay) => bigint | null | undefined): Column<HistoryDay> => ({
    key,
    head,
    width: 'minmax(0, 1fr)',
    align: 'right',
    mono: true,
    cell: (row) => exact(of(row)),
  })
  return [
    day,
    ...roles.map((role, place) => amount(role, ROLE_WORDS[role], ({ amounts }) => amounts?.[place])),
    amount('earned', 'Rewards', ({ earned }) => earned),
    { key: 'state', head: 'State', width: '120px', cell: stateText },
  ]
}

/** Says of a day what is not as usual. */
function stateText({ amounts, unexplained, slashed, complete }: HistoryDay): string {
  if (amounts === null) return 'Not read'
  if (unexplained !== 0n) return 'Unexplained'
  if (slashed !== 0n) return 'Slashed'
  return complete ? 'Adds up' : 'Not whole'
}

import type { PositionBucket } from '../../api/positions.ts'
import type { StatementEntry } from '../../api/statements.ts'
import { Tip } from '../../parts/layout/tip.tsx'
import type { Column } from '../../parts/table/table-column.ts'
import { Address } from '../../parts/value/address.tsx'
import { ColumnAmount } from '../../parts/value/column-amount.tsx'
import { Tag } from '../../parts/value/state.tsx'
import { Time, ZoneName } from '../../parts/value/time.tsx'
import { count } from '../../text/amount.ts'
import { inUnits } from '../../text/column.ts'
import { utcDay } from '../../text/utc-day.ts'
import { directionOf, KIND_WORDS, type Operation, placeText, REASON_WORDS, signedOf } from './operations.ts'

/** Columns of the operations. @param symbol of the native token; empty where it is not known */
export function operationColumns(
  buckets: readonly PositionBucket[],
  symbol: string,
  room: 'phone' | 'snug' | 'plain',
): readonly Column<Operation>[] {
  const time: Column<Operation> = {
    key: 'time',
    head: (
      <>
        Time, <ZoneName />
      </>
    ),
    width: '168px',
    muted: true,
    cell: (row) => <When row={row} />,
  }
  const kind: Column<Operation> = { key: 'kind', head: 'Kind', width: '136px', cell: (row) => <Kind row={row} /> }
  const amount: Column<Operation> = {
    key: 'amount',
    head: <span class="in-figures">Amount</span>,
    width: '180px',
    align: 'right',
    cell: (row) => (row.kind === 'gap' ? <ColumnAmount value={null} unit="" /> : <AmountOf entry={row.entry} symbol={symbol} />),
  }
  const places: Column<Operation> = {
    key: 'places',
    head: 'From and to',
    width: 'minmax(0, 1fr)',
    cell: (row) =>
      row.kind === 'gap' ? <span class="muted">{row.days === 1 ? 'this day' : `${row.days} days`}</span> : placesOf(row.entry, buckets),
  }
  if (room === 'phone') return [kind, amount, time, { ...places, align: 'right' }]
  const tx: Column<Operation> = {
    key: 'tx',
    head: 'Transaction',
    width: '124px',
    mono: true,
    cell: (row) =>
      row.kind === 'gap' || row.entry.tx_hash === null ? (
        <span class="muted">–</span>
      ) : (
        <Address text={row.entry.tx_hash} what="transaction" />
      ),
  }
  const block: Column<Operation> = {
    key: 'block',
    head: 'Block',
    width: '96px',
    muted: true,
    cell: (row) => (row.kind === 'gap' || row.entry.height === null ? '–' : count(row.entry.height)),
  }
  return room === 'snug' ? [time, kind, amount, places] : [time, kind, amount, places, tx, block]
}

function When({ row }: { readonly row: Operation }) {
  if (row.kind === 'entry') return <Time at={row.entry.time ?? row.entry.booked_at} />
  const [from, to] = [utcDay(row.from), utcDay(row.to)]
  return <>{row.days === 1 ? `${from}, UTC` : `${from.replace(/ \d{4}$/, '')} to ${to}`}</>
}

function Kind({ row }: { readonly row: Operation }) {
  if (row.kind === 'gap') return <Tag kind="warn">Not read</Tag>
  const { kind, corrects, superseded } = row.entry
  if (corrects !== null) return <span class="muted">Taken back</span>
  if (superseded) return <s class="taken-back">{KIND_WORDS[kind]}</s>
  if (kind === 'unexplained' || kind === 'slash') return <Tag kind="bad">{KIND_WORDS[kind]}</Tag>
  return <>{KIND_WORDS[kind]}</>
}

function AmountOf({ entry, symbol }: { readonly entry: StatementEntry; readonly symbol: string }) {
  const direction = directionOf(entry)
  const value = signedOf(entry.amount ?? entry.amount_base, direction)
  const exact = `${value} base units of ${entry.asset}`
  const content =
    entry.amount === null ? (
      <Tip text={exact}>
        {(handlers) => (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what was cut has to be reachable by keyboard.
          <span class="figure mono" tabIndex={0} role="img" aria-label={exact} {...handlers}>
            {inUnits(value, direction !== 0)}
            <span class="unit muted">units</span>
          </span>
        )}
      </Tip>
    ) : (
      <ColumnAmount value={value} unit={symbol} signed={direction !== 0} />
    )
  return entry.superseded ? <s class="taken-back">{content}</s> : content
}

function placesOf({ from, to, reason }: StatementEntry, buckets: readonly PositionBucket[]): string {
  const route = `${placeText(from, buckets)} → ${placeText(to, buckets)}`
  return reason === null ? route : `${route}: ${REASON_WORDS[reason]}`
}

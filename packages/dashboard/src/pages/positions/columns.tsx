import type { Position } from '../../api/positions.ts'
import type { Column } from '../../parts/table/table-column.ts'
import { Address } from '../../parts/value/address.tsx'
import { ColumnAmount } from '../../parts/value/column-amount.tsx'
import { Distance } from '../../parts/value/time.tsx'
import { named } from '../../state/names.ts'
import { percentText } from '../../text/column.ts'
import { placeName } from '../../text/networks.ts'
import { short } from '../../text/short.ts'
import { PositionStateWord } from './state-word.tsx'
import { dueOf, STATES, showsSlash } from './words.ts'

/** Room for columns: of a list on a phone, of a window beside the navigation, and of one that has it for all of them. */
export type Room = 'phone' | 'cramped' | 'tight' | 'snug' | 'plain' | 'roomy'

/** Lists the columns for the room that there is. @param accounts whether the list says whose each position is */
export function columnsOf(accounts: boolean, room: Room): readonly Column<Position>[] {
  if (room === 'phone') {
    // Rows without heads: what is normal is left out.
    return [
      { ...wallet, phone: 'main', cell: ({ address }) => short(address) },
      staked,
      { ...network, muted: true },
      { ...earned, cell: (row) => <EarnedInBrief row={row} /> },
      { ...state, cell: (row) => (STATES[row.state].look === 'quiet' && !showsSlash(row) ? null : <PositionStateWord of={row} />) },
      { ...due, align: 'right', cell: (row) => (row.next_due === null ? null : <Due row={row} />) },
    ]
  }
  if (room === 'cramped') return [{ ...wallet, width: 'minmax(0, 1fr)' }, staked, state]
  if (room === 'tight') return [wallet, network, staked, state]
  if (room === 'snug') return [wallet, network, staked, earned, state]
  const whose = accounts ? [account] : []
  return room === 'plain'
    ? [wallet, ...whose, network, staked, earned, ...(accounts ? [] : [rate]), state]
    : [wallet, ...whose, network, staked, earned, ...(accounts ? [] : [rate]), due, state]
}

const wallet: Column<Position> = {
  key: 'wallet',
  head: 'Wallet',
  width: '138px',
  mono: true,
  cell: ({ address }) => <Address text={address} what="wallet" />,
}

const account: Column<Position> = { key: 'account', head: 'Account', width: '100px', muted: true, cell: (row) => row.account }

const network: Column<Position> = {
  key: 'network',
  head: 'Network',
  width: 'minmax(0, 1fr)',
  cell: ({ protocol, network_id }) => placeName(named.value, protocol, network_id),
}

const staked: Column<Position> = {
  key: 'staked',
  head: <span class="in-figures">Staked</span>,
  width: '168px',
  align: 'right',
  cell: ({ staked: value, symbol }) => <ColumnAmount value={value} unit={symbol ?? ''} />,
}

const state: Column<Position> = { key: 'state', head: 'State', width: '140px', cell: (row) => <PositionStateWord of={row} /> }

const earned: Column<Position> = {
  key: 'earned',
  head: <span class="in-figures bare">Rewards, 30 d</span>,
  width: '124px',
  align: 'right',
  cell: ({ earned_30d: value, earned_days: days }) => <ColumnAmount value={value} unit={null} loss quiet={days < 30} />,
}

const rate: Column<Position> = {
  key: 'rate',
  head: 'Rate',
  width: '64px',
  align: 'right',
  cell: (row) => <Rate row={row} />,
}

const due: Column<Position> = { key: 'due', head: 'Next due', width: '136px', cell: (row) => <Due row={row} /> }

function Rate({ row: { rate_percent: value } }: { readonly row: Position }) {
  if (value === null) return <span class="muted">–</span>
  return <span class={value.startsWith('-') ? 'num loss' : 'num'}>{percentText(value)}</span>
}

/** Rewards and rate in one cell, which has no head. */
function EarnedInBrief({ row }: { readonly row: Position }) {
  return (
    <>
      <ColumnAmount value={row.earned_30d} unit={null} signed loss quiet={row.earned_days < 30} />
      {row.rate_percent === null ? null : (
        <>
          {' · '}
          <Rate row={row} />
        </>
      )}
    </>
  )
}

/** Shows what happens next, and when; what can be done now stands out. */
function Due({ row }: { readonly row: Position }) {
  const words = dueOf(row, Date.now())
  if (words === null) return <span class="muted">–</span>
  const { word, isNow, at } = words
  return (
    <>
      {isNow ? <strong>{word}</strong> : <span class="muted">{word}</span>} {at === null ? isNow ? 'now' : null : <Distance at={at} />}
    </>
  )
}

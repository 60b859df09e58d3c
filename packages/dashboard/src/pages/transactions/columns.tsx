import type { FollowedTransaction } from '../../api/transactions.ts'
import { timeColumn, walletColumn } from '../../parts/common-columns.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import type { Column } from '../../parts/table-column.ts'
import { inShort, partsOf } from '../../text/sentence.ts'
import { short } from '../../text/short.ts'

/** Columns of the list. @param accounts whether it says whose each is @param snug whether the window has no room for all of them */
export function columnsOf(accounts: boolean, snug: boolean): readonly Column<FollowedTransaction>[] {
  const account: Column<FollowedTransaction> = {
    key: 'account',
    head: 'Account',
    width: '110px',
    phone: 'rest',
    muted: true,
    cell: ({ account }) => account,
  }
  return [
    timeColumn(({ first_seen }) => first_seen),
    ...(accounts ? [account] : []),
    { key: 'what', head: 'What', width: 'minmax(0, 1fr)', phone: 'main', cell: (row) => <What row={row} /> },
    ...(snug ? [] : [walletColumn<FollowedTransaction>()]),
    { key: 'state', head: 'State', width: '176px', cell: (row) => <StatusWord of={row} /> },
  ]
}

function What({ row: { sentence, tx_hash, protocol, chain_id } }: { readonly row: FollowedTransaction }) {
  if (sentence === null) {
    return (
      <>
        <span class="mono">{short(tx_hash, 10, 8)}</span>
        <span class="muted">
          {' '}
          on {protocol}, {chain_id}
        </span>
      </>
    )
  }
  const { deed, place } = partsOf(sentence)
  return (
    <>
      {inShort(deed)}
      {place === null ? null : <span class="muted"> on {place}</span>}
    </>
  )
}

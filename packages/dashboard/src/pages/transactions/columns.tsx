import type { FollowedTransaction } from '../../api/transactions.ts'
import { Address } from '../../parts/address.tsx'
import { StatusWord } from '../../parts/status-word.tsx'
import type { Column } from '../../parts/table-column.ts'
import { Time, ZoneName } from '../../parts/time.tsx'
import { inShort, partsOf } from '../../text/sentence.ts'
import { short } from '../../text/short.ts'

/** Columns of the list. @param accounts whether it says whose each is @param snug whether the window has no room for all of them */
export function columnsOf(accounts: boolean, snug: boolean): readonly Column<FollowedTransaction>[] {
  const wallet: Column<FollowedTransaction> = {
    key: 'wallet',
    head: 'Wallet',
    width: '132px',
    phone: 'rest',
    mono: true,
    muted: true,
    cell: ({ wallet }) => (wallet === null ? null : <Address text={wallet} what="wallet" />),
  }
  const account: Column<FollowedTransaction> = {
    key: 'account',
    head: 'Account',
    width: '110px',
    phone: 'rest',
    muted: true,
    cell: ({ account }) => account,
  }
  return [
    {
      key: 'time',
      head: (
        <>
          Time, <ZoneName />
        </>
      ),
      width: '84px',
      muted: true,
      cell: ({ first_seen }) => <Time at={first_seen} form="time" />,
    },
    ...(accounts ? [account] : []),
    { key: 'what', head: 'What', width: 'minmax(0, 1fr)', phone: 'main', cell: (row) => <What row={row} /> },
    ...(snug ? [] : [wallet]),
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

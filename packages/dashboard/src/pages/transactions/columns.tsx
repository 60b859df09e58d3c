import type { FollowedTransaction } from '../../api/transactions.ts'
import { amountColumn, networkColumn, timeColumn, walletColumn } from '../../parts/table/common-columns.tsx'
import type { Column } from '../../parts/table/table-column.ts'
import { StatusWord } from '../../parts/value/status-word.tsx'
import { named } from '../../state/names.ts'
import { mainAmount, tokenOf } from '../../text/moves.ts'
import { networkName, placeName } from '../../text/networks.ts'
import { inBrief, partsOf } from '../../text/sentence.ts'
import { short } from '../../text/short.ts'

/** Columns of the list. @param accounts whether it says whose each is @param snug whether the window has no room for all of them @param roomy whether it has for the wallet too */
export function columnsOf(accounts: boolean, snug: boolean, roomy: boolean): readonly Column<FollowedTransaction>[] {
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
    { key: 'what', head: 'What', width: 'minmax(0, 1fr)', phone: 'main', cell: (row) => <What row={row} place={snug} /> },
    amountColumn(amountOf),
    ...(snug ? [] : [networkColumn<FollowedTransaction>(placeOf)]),
    ...(roomy ? [walletColumn<FollowedTransaction>()] : []),
    { key: 'state', head: 'State', width: '176px', cell: (row) => <StatusWord of={row} /> },
  ]
}

function What({ row, place }: { readonly row: FollowedTransaction; readonly place: boolean }) {
  const { sentence, tx_hash } = row
  const amount = amountOf(row)
  const deed = sentence === null ? null : inBrief(partsOf(sentence).deed, amount && `${amount.value} ${amount.token?.symbol}`)
  return (
    <>
      {deed ?? <span class="mono">{short(tx_hash, 10, 8)}</span>}
      {place ? <span class="muted"> on {placeOf(row)}</span> : null}
    </>
  )
}

/** By its bytes, and where nobody has read them by what it moved. */
function amountOf({ promised, moves, protocol, chain_id }: FollowedTransaction) {
  const token = tokenOf(named.value, protocol, chain_id)
  const value = mainAmount(
    (promised ?? moves ?? []).map(({ units, ...move }) => ({ ...move, amount: units })),
    token,
  )
  return value === null ? null : { value, token }
}

function placeOf({ sentence, protocol, chain_id }: FollowedTransaction): string | null {
  const place = sentence === null ? null : partsOf(sentence).place
  return place === null ? placeName(named.value, protocol, chain_id) : networkName(named.value, place, protocol)
}

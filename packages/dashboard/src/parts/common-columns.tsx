import { Address } from './address.tsx'
import type { Column } from './table-column.ts'
import { Time, ZoneName } from './time.tsx'

/** When it was, by the clock; the day stands above the rows. @param of ISO 8601 */
export function timeColumn<T>(of: (row: T) => string): Column<T> {
  return {
    key: 'time',
    head: (
      <>
        Time, <ZoneName />
      </>
    ),
    width: '84px',
    muted: true,
    cell: (row) => <Time at={of(row)} form="time" />,
  }
}

/** The wallet that it is about. */
export function walletColumn<T extends { readonly wallet: string | null }>(): Column<T> {
  return {
    key: 'wallet',
    head: 'Wallet',
    width: '132px',
    phone: 'rest',
    mono: true,
    muted: true,
    cell: ({ wallet }) => (wallet === null ? null : <Address text={wallet} what="wallet" />),
  }
}

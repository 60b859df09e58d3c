import type { Token } from '../../text/moves.ts'
import { Address } from '../value/address.tsx'
import { Amount } from '../value/amount.tsx'
import { Time, ZoneName } from '../value/time.tsx'
import type { Column } from './table-column.ts'

/** Makes the column of times, by the clock; the day stands above the rows. @param of ISO 8601 */
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

/** Makes the column of the wallet that a row is about. */
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

/** Digits after the point that a list has room for; the whole stands in the tip. */
const DIGITS = 4

/** Makes the column of the amount that a row is about. @param of decimal text; the unit is null where it is not known */
export function amountColumn<T>(of: (row: T) => { readonly value: string; readonly token: Token | null } | null): Column<T> {
  return {
    key: 'amount',
    head: 'Amount',
    width: '136px',
    align: 'right',
    cell(row) {
      const amount = of(row)
      if (amount === null) return null
      return <Amount value={amount.value} digits={DIGITS} {...(amount.token === null ? {} : { unit: amount.token.symbol })} />
    },
  }
}

/** Makes the column of a row's network, by its name. */
export function networkColumn<T>(of: (row: T) => string | null): Column<T> {
  return { key: 'network', head: 'Network', width: '156px', phone: 'rest', muted: true, cell: of }
}

import type { ApiKey } from '../../api/keys.ts'
import type { Column } from '../../parts/table/table-column.ts'
import { Distance, Time, ZoneName } from '../../parts/value/time.tsx'
import { SOON_MS } from './condition.ts'
import { KeyCondition } from './key-condition.tsx'

/** Room that the window has: for all columns, for all but one, or for the most needed. */
type Room = 'all' | 'snug' | 'tight'

/** Makes the columns of the list. @param nameOf names of accounts, where there are several */
export function columnsOf(nameOf: ((id: string) => string) | null, room: Room): readonly Column<ApiKey>[] {
  const start: Column<ApiKey> = {
    key: 'prefix',
    head: 'Key',
    width: '156px',
    mono: true,
    muted: true,
    cell: ({ prefix }) => `${prefix}…`,
  }
  const expires: Column<ApiKey> = {
    key: 'expires',
    head: 'Expires',
    width: '110px',
    phone: 'rest',
    cell: ({ expirationDate }) => (expirationDate === null ? <span class="muted">never</span> : <Expires at={expirationDate} />),
  }
  return [
    {
      key: 'name',
      head: 'Name',
      width: 'minmax(140px, 1.6fr)',
      phone: 'main',
      cell: ({ name }) => (
        <span class="key-name" title={name}>
          {name}
        </span>
      ),
    },
    ...(nameOf && room !== 'tight'
      ? [
          {
            key: 'account',
            head: 'Account',
            width: 'minmax(90px, 1fr)',
            phone: 'rest',
            muted: true,
            cell: ({ account }: ApiKey) => (account === undefined ? '' : nameOf(account)),
          } as const,
        ]
      : []),
    ...(room === 'all' ? [start] : []),
    {
      key: 'used',
      head: (
        <>
          Last used, <ZoneName />
        </>
      ),
      width: room === 'all' ? '168px' : '116px',
      phone: 'rest',
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span class="muted">never</span> : <Time at={lastUsedAt} relative form={room === 'all' ? 'both' : 'date'} />,
    },
    ...(room === 'tight' ? [] : [expires]),
    { key: 'state', head: 'State', width: '104px', cell: (key) => <KeyCondition of={key} /> },
  ]
}

function Expires({ at }: { readonly at: string }) {
  return Math.abs(Date.parse(at) - Date.now()) <= SOON_MS ? <Distance at={at} /> : <Time at={at} form="date" />
}

import type { ApiKey } from '../../api/keys.ts'
import type { Column } from '../../parts/table-column.ts'
import { Distance, Time, ZoneName } from '../../parts/time.tsx'
import { SOON_MS } from './condition.ts'
import { KeyCondition } from './key-condition.tsx'

/** The columns of the list. @param nameOf names of accounts, where there are several */
export function columnsOf(nameOf: ((id: string) => string) | null): readonly Column<ApiKey>[] {
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
    ...(nameOf
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
    { key: 'prefix', head: 'Key', width: '156px', mono: true, muted: true, cell: ({ prefix }) => `${prefix}…` },
    {
      key: 'used',
      head: (
        <>
          Last used, <ZoneName />
        </>
      ),
      width: '168px',
      phone: 'rest',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span class="muted">never</span> : <Time at={lastUsedAt} relative />),
    },
    {
      key: 'expires',
      head: 'Expires',
      width: '110px',
      phone: 'rest',
      cell: ({ expirationDate }) => (expirationDate === null ? <span class="muted">never</span> : <Expires at={expirationDate} />),
    },
    { key: 'state', head: 'State', width: '104px', cell: (key) => <KeyCondition of={key} /> },
  ]
}

function Expires({ at }: { readonly at: string }) {
  return Math.abs(Date.parse(at) - Date.now()) <= SOON_MS ? <Distance at={at} /> : <Time at={at} form="date" />
}

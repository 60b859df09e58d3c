import { useMemo } from 'preact/hooks'
import type { Account, Session } from '../../api/types.ts'
import { Segments } from '../../parts/form/select.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Table } from '../../parts/table/table.tsx'
import type { Column } from '../../parts/table/table-column.ts'
import { Address } from '../../parts/value/address.tsx'
import { Distance, Time, ZoneToggle } from '../../parts/value/time.tsx'
import { ShortcutSwitch } from '../../shell/shortcut-switch.tsx'
import { type Theme, theme } from '../../state/preferences.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { count } from '../../text/amount.ts'
import type { PageProps } from '../page.ts'
import { NewCustomer } from './new-customer.tsx'

/** Shows what the token is, what it may see, and how this page looks to its reader. */
export function SessionPage({ session: initial }: PageProps) {
  const { value: session = initial, failure, reload } = useResource('session', (signal) => api.call<Session>('session', { signal }))
  return (
    <>
      <PageHead title="Session" meta={session.kind === 'operator' ? 'operator' : session.account?.name} />
      <div class="columns">
        <section class="card">
          <header>
            <h2>Token</h2>
          </header>
          <div class="body">
            <TokenFacts session={session} />
          </div>
        </section>
        <section class="card">
          <header>
            <h2>This page</h2>
          </header>
          <div class="body">
            <Preferences />
          </div>
        </section>
      </div>
      {failure ? <ErrorState failure={failure} onRetry={reload} /> : <Accounts accounts={session.accounts} />}
      {session.kind === 'operator' ? <NewCustomer /> : null}
    </>
  )
}

function TokenFacts({ session: { kind, account, token, version, sandbox } }: { readonly session: Session }) {
  return (
    <dl class="kv">
      <dt>Name</dt>
      <dd>{token.name}</dd>
      <dt>Kind</dt>
      <dd>{kind === 'operator' ? 'Operator token: sees every account' : `Management token of ${account?.name ?? 'an account'}`}</dd>
      <dt>Begins with</dt>
      <dd class="mono">{token.prefix}…</dd>
      <dt>Id</dt>
      <dd>
        <Address text={token.ulid} what="id" whole />
      </dd>
      <dt>Expires</dt>
      <dd>
        {token.expires === null ? (
          'Never'
        ) : (
          <>
            <Distance at={token.expires} />, <Time at={token.expires} />
          </>
        )}
      </dd>
      <dt>Service</dt>
      <dd>
        {version}
        {sandbox ? ', a sandbox: local chains and play money' : ''}
      </dd>
    </dl>
  )
}

const THEMES: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

function Preferences() {
  return (
    <dl class="kv choices">
      <dt>Colours</dt>
      <dd>
        <Segments
          label="Colours"
          value={theme.value}
          options={THEMES}
          onValue={(chosen) => {
            theme.value = chosen
          }}
        />
      </dd>
      <dt>Times</dt>
      <dd>
        <ZoneToggle />
      </dd>
      <dt>Keyboard</dt>
      <dd>
        <ShortcutSwitch />
      </dd>
    </dl>
  )
}

function Accounts({ accounts }: { readonly accounts: readonly Account[] | undefined }) {
  const columns = useMemo(
    (): readonly Column<Account>[] => [
      { key: 'name', head: 'Account', width: 'minmax(0, 2fr)', phone: 'main', cell: ({ name }) => name },
      { key: 'id', head: 'Id', width: 'minmax(0, 1fr)', mono: true, muted: true, cell: ({ id }) => id },
      {
        key: 'keys',
        head: 'API keys',
        width: '160px',
        align: 'right',
        cell: ({ keys, max_keys }) => `${count(keys)} of ${count(max_keys)}`,
      },
    ],
    [],
  )
  if (!accounts) return <Loading />
  return <Table label="Accounts" columns={columns} rows={accounts} keyOf={({ id }) => id} />
}

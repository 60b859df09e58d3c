import type { Protocol } from '../../api/protocols.ts'
import { Select } from '../../parts/form/select.tsx'
import { PageHead } from '../../parts/layout/page-head.tsx'
import { Empty } from '../../parts/notice/empty.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { StaleNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Link } from '../../router/link.tsx'
import { account, chooseAccount } from '../../state/account.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import type { PageProps } from '../page.ts'
import { Enabling } from './enabling.tsx'
import { List } from './list.tsx'
import { NetworkView } from './network.tsx'
import { Nothing } from './no-protocol.tsx'

/** Shows what is enabled for an account: all of it, or one network of one protocol. */
export function ProtocolsPage({ session, rest }: PageProps) {
  const [only, ...others] = session.accounts
  const chosen = account.value ?? (others.length === 0 ? (only?.id ?? null) : null)
  if (chosen === null) return <Choose accounts={session.accounts} />
  return <OfAccount key={chosen} account={chosen} session={session} rest={rest} />
}

function Choose({ accounts }: Pick<PageProps['session'], 'accounts'>) {
  return (
    <>
      <PageHead title="Protocols" />
      <Empty
        title="Of which account?"
        action={
          <Select
            label="Account to look at"
            value=""
            options={[{ value: '', label: 'Choose an account' }, ...accounts.map(({ id, name }) => ({ value: id, label: name }))]}
            onValue={(id) => chooseAccount(id === '' ? null : id)}
          />
        }
      >
        Terms belong to an account: each may have networks and a validator of its own.
      </Empty>
    </>
  )
}

function OfAccount({ account, session, rest: [name, network] }: PageProps & { readonly account: string }) {
  const { value, failure, reload } = useResource(`protocols ${account}`, async (signal) => ({
    protocols: await api.call<readonly Protocol[]>('protocols', { query: { account }, signal }),
    at: Date.now(),
  }))
  const about = session.accounts.length > 1 ? session.accounts.find(({ id }) => id === account)?.name : undefined
  if (!value) {
    return (
      <>
        <PageHead title="Protocols" meta={about} />
        {failure ? <ErrorState failure={failure} onRetry={reload} /> : <Loading lines={6} />}
      </>
    )
  }
  const { protocols, at } = value
  const protocol = protocols.find((each) => each.protocol === name)
  const selection =
    network === undefined ? protocol?.networks.find((each) => each.default) : protocol?.networks.find((each) => each.network === network)
  if (protocol && selection) {
    return (
      <NetworkView
        key={name}
        protocol={protocol}
        network={selection}
        at={at}
        account={account}
        session={session}
        failure={failure}
        onRetry={reload}
      />
    )
  }
  return (
    <>
      <PageHead title="Protocols" meta={about} />
      {failure ? <StaleNote failure={failure} of={new Date(at).toISOString()} onRetry={reload} /> : null}
      {name !== undefined ? (
        <Empty title="Not enabled" action={<Link to="protocols">All protocols</Link>}>
          {network === undefined ? `There is no protocol ${name} for this account.` : `There is no ${name} on ${network} for this account.`}
        </Empty>
      ) : protocols.length === 0 ? (
        <Nothing session={session} account={account} />
      ) : (
        <>
          <List protocols={protocols} at={at} />
          {session.kind === 'operator' ? <Enabling account={account} name={about ?? account} /> : null}
        </>
      )}
    </>
  )
}

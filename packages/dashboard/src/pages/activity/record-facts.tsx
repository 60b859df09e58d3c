import type { AuditRecord } from '../../api/audit.ts'
import { Address } from '../../parts/value/address.tsx'
import { Fact } from '../../parts/value/fact.tsx'
import { Time } from '../../parts/value/time.tsx'
import { setQuery } from '../../router/router.ts'
import { named } from '../../state/names.ts'
import { count } from '../../text/amount.ts'
import { networkName, protocolName } from '../../text/networks.ts'
import type { Member } from './filters.ts'
import { durationText, NAMES } from './words.ts'

/** All that a record says of itself; what can be filtered by has a button that does. */
export function FactsOf({ record }: { readonly record: AuditRecord }) {
  const { key, address, identity, account, wallet, unsigned_hash, tx_hash, method, route, protocol, network, status, target, changes } =
    record
  const amounts = Object.entries(record.asked ?? {})
  return (
    <section>
      <h3>Request</h3>
      <dl class="kv">
        <Fact name="Time">
          <Time at={record.time} />
          {record.outcome === 'open' ? '' : `, ${durationText(record.duration_ms)}`}
        </Fact>
        <Fact name="Account">{account === '' ? 'Of no account' : account}</Fact>
        <Fact name="Key" only={key && onlyOf('key', key.ulid)}>
          {key ? (
            <>
              {key.name ?? 'Deleted, its name is not kept'} <Address text={key.ulid} what="key id" />
            </>
          ) : record.by_operator ? (
            identity === null ? (
              'The operator of this service'
            ) : (
              'None: the command line'
            )
          ) : (
            'None that was ever issued here'
          )}
        </Fact>
        <Fact name="Identity" only={identity === null ? null : onlyOf('identity', identity)}>
          {identity}
        </Fact>
        <Fact name="Address">{address === null ? null : <Address text={address} what="address" whole />}</Fact>
        <Fact name="Wallet" only={wallet === null ? null : onlyOf('wallet', wallet)}>
          {wallet === null ? null : <Address text={wallet} what="wallet" whole />}
        </Fact>
        <Fact name="Unsigned hash">{unsigned_hash === null ? null : <Address text={unsigned_hash} what="unsigned hash" whole />}</Fact>
        <Fact name="Transaction hash">{tx_hash === null ? null : <Address text={tx_hash} what="transaction hash" whole />}</Fact>
        <Fact name="Protocol" only={protocol === null ? null : onlyOf('protocol', protocol)}>
          {protocol === null ? null : <NamedBy name={protocolName(named.value, protocol)} id={protocol} />}
        </Fact>
        <Fact name="Network" only={network === null ? null : onlyOf('network', network)}>
          {network === null ? null : networkName(named.value, network, protocol)}
        </Fact>
        <Fact name="Credential" only={target === null ? null : onlyOf('target', target)}>
          {target === null ? null : <Address text={target} what="credential id" whole />}
        </Fact>
        <Fact name="Changes">
          {changes === null || changes === undefined ? null : <code class="break">{JSON.stringify(changes)}</code>}
        </Fact>
        <Fact name="Asked">
          <code class="break">
            {method === 'CLI' ? 'svc' : method} {record.path ?? route}
          </code>
        </Fact>
        <Fact name="Amounts asked for">
          {amounts.length === 0 ? null : amounts.map(([name, amount]) => `${name} ${amount}`).join(', ')}
        </Fact>
        <Fact name="Answered">{status === 0 ? (method === 'CLI' ? null : 'Not, or it is not known') : String(status)}</Fact>
        <Fact name="How often">{record.count > 1 ? `${count(record.count)} alike, counted together` : null}</Fact>
        <Fact name="Request id">
          <Address text={record.request_id} what="request id" whole />
        </Fact>
      </dl>
    </section>
  )
}

/** Shows the name that people use, and the name that programs use. */
function NamedBy({ name, id }: { readonly name: string; readonly id: string }) {
  return (
    <>
      {name} {name === id ? null : <code class="muted">{id}</code>}
    </>
  )
}

function onlyOf(member: Member, value: string) {
  return [`${NAMES[member].toLowerCase()} ${value}`, () => setQuery({ [member]: value })] as const
}

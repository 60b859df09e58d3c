import { type Validity as End, type FollowedTransaction, partsOfTransaction } from '../../api/transactions.ts'
import { Address } from '../../parts/value/address.tsx'
import { Amount } from '../../parts/value/amount.tsx'
import { Fact } from '../../parts/value/fact.tsx'
import { Distance, Time } from '../../parts/value/time.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { setQuery } from '../../router/router.ts'
import { named } from '../../state/names.ts'
import { networkName, protocolName } from '../../text/networks.ts'
import { validityOf } from './words.ts'

/** Shows what a transaction came to on its chain. */
export function OutcomeOf({ row }: { readonly row: FollowedTransaction }) {
  const { fee, block, valid_until, object_ids, replaced_by, replaced_by_same, ended_at, looked_at } = row
  return (
    <section>
      <h3>On the chain</h3>
      <dl class="kv">
        <Fact name="Fee paid">
          {fee === null ? <span class="muted">nothing yet</span> : <Amount value={fee.amount} unit={fee.unit ?? 'native tokens'} />}
        </Fact>
        <Fact name="Block">
          {block === null ? (
            <span class="muted">none{looked_at === null ? '' : `, as of block ${looked_at}`}</span>
          ) : (
            <>
              {block.height === null ? null : <span class="mono">{block.height}</span>}{' '}
              {block.time === null ? null : <Time at={block.time} form="both" />}
            </>
          )}
        </Fact>
        <Fact name="Block hash">{block?.hash ? <Address text={block.hash} what="block hash" whole /> : null}</Fact>
        <Fact name="Valid until">{valid_until === null ? null : <Validity of={valid_until} over={ended_at !== null} />}</Fact>
        {valid_until?.also === undefined ? null : (
          <Fact name="or until">
            <Validity of={valid_until.also} over={ended_at !== null} />
          </Fact>
        )}
        <Fact name={object_ids?.length === 1 ? 'Object made' : 'Objects made'}>
          {object_ids === null ? <span class="muted">not known: no node keeps what it did</span> : null}
          {object_ids === null || object_ids.length === 0
            ? null
            : object_ids.map((id) => (
                <div key={id}>
                  <Address text={id} what="object id" whole />
                </div>
              ))}
        </Fact>
        <Fact name="Replaced by">
          {replaced_by === null ? null : (
            <>
              <Address text={replaced_by} what="transaction hash" whole />{' '}
              <Link to={pathTo(partsOfTransaction({ ...row, tx_hash: replaced_by }))}>Look at it</Link>
              {replaced_by_same ? <div>It does the very same: sign no other one, unless it failed.</div> : null}
            </>
          )}
        </Fact>
      </dl>
    </section>
  )
}

function Validity({ of, over }: { readonly of: End; readonly over: boolean }) {
  const { until, parts } = validityOf(of)
  return (
    <>
      {until}
      {parts.map((each) => (
        <div key={each}>
          <Address text={each} what="value" whole />
        </div>
      ))}
      {of.estimated_at === null || over ? null : (
        <div class="muted">
          about <Distance at={of.estimated_at} />, <Time at={of.estimated_at} form="both" />: an estimate by the chain’s pace
        </div>
      )}
    </>
  )
}

/** Shows the names by which the service knows a transaction; a name that can be filtered by has a button that does so. */
export function NamesOf({ row }: { readonly row: FollowedTransaction }) {
  const { account, wallet, identity, tx_hash, unsigned_hash, protocol, chain_id, network, origin, request_id } = row
  const { checked_at, next_look_at, ended_at, first_seen } = row
  const onlyWallet = wallet === null ? null : ([`wallet ${wallet}`, () => setQuery({ wallet })] as const)
  return (
    <section>
      <h3>Transaction</h3>
      <dl class="kv">
        <Fact name="Transaction hash">
          <Address text={tx_hash} what="transaction hash" whole />
        </Fact>
        <Fact name="Unsigned hash">{unsigned_hash === null ? null : <Address text={unsigned_hash} what="unsigned hash" whole />}</Fact>
        <Fact name="Wallet" only={onlyWallet}>
          {wallet === null ? null : <Address text={wallet} what="wallet" whole />}
        </Fact>
        <Fact name="Protocol" only={[`protocol ${protocol}`, () => setQuery({ protocol })]}>
          {protocolName(named.value, protocol)}
        </Fact>
        <Fact name="Network" only={[`network ${chain_id}`, () => setQuery({ network: chain_id })]}>
          {networkName(named.value, chain_id, protocol)} <code class="muted">{network}</code>
        </Fact>
        <Fact name="Account">{account}</Fact>
        <Fact name="Identity">{identity}</Fact>
        <Fact name="First seen">
          <Time at={first_seen} form="both" />
          {origin === 'track' ? ', sent elsewhere and told to follow' : ''}
        </Fact>
        <Fact name="Looked at">
          {checked_at === null ? 'not yet' : <Time at={checked_at} relative />}
          {ended_at !== null || next_look_at === null ? null : (
            <>
              , next <Distance at={next_look_at} />
            </>
          )}
        </Fact>
        <Fact name="Request id">
          <Address text={request_id} what="request id" whole />
        </Fact>
      </dl>
    </section>
  )
}

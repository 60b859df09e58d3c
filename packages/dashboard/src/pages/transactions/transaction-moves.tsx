import type { FollowedTransaction } from '../../api/transactions.ts'
import { Address } from '../../parts/value/address.tsx'
import { Amount } from '../../parts/value/amount.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { Fact } from '../../parts/value/fact.tsx'
import { State, Tag } from '../../parts/value/state.tsx'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { type ProtocolTokens, sayMove, type Token, tokenOf } from '../../text/moves.ts'
import { type ComparedAmount, comparedOf, type How } from './comparison.ts'

/** Shows what was promised, and what really moved. */
export function MovesOf({ row }: { readonly row: FollowedTransaction }) {
  const { protocol, chain_id, account, sentence } = row
  const compared = comparedOf(row)
  const some = compared.length > 0
  const { value, failure } = useResource(`protocols ${some ? account : ''}`, (signal) =>
    // Only amounts need it.
    some ? api.call<readonly ProtocolTokens[]>('protocols', { signal, query: { account } }) : Promise.resolve([]),
  )
  if (!some) return null
  // Nothing is shown in one unit first and then in another.
  const pending = value === undefined && failure === undefined
  const token = tokenOf(value, protocol, chain_id)
  return (
    <section>
      <div class="part-head">
        <h3>What it moves</h3>
        {sentence === null ? null : <Copy text={sentence} label="Copy sentence" bare />}
      </div>
      <dl class="kv">
        {compared.map((each) => (
          <Fact key={`${each.kind} ${each.asset}`} name={sayMove({ ...each, amount: null }, token).what}>
            <Line of={each} token={token} pending={pending} />
          </Fact>
        ))}
      </dl>
    </section>
  )
}

function Line({ of, token, pending }: { readonly of: ComparedAmount; readonly token: Token | null; readonly pending: boolean }) {
  const { how, promised, moved } = of
  const amount = (units: string) => <Units of={of} units={units} token={token} pending={pending} />
  if (how === 'differs') {
    return (
      <span class="differs">
        <span>promised {amount(promised ?? '0')}</span>
        <span>moved {amount(moved ?? '0')}</span>
        <Tag kind="bad">Not as promised</Tag>
      </span>
    )
  }
  const units = how === 'promised' || how === 'undone' ? promised : moved
  if (units === null) return <>The bytes do not say how much</>
  if (how === 'same') {
    return (
      <span class="compared">
        {amount(units)} <State kind="ok">as promised</State>
      </span>
    )
  }
  return (
    <span class="compared">
      {amount(units)} <span class="muted">{SAYS[how]}</span>
    </span>
  )
}

const SAYS: Readonly<Record<Exclude<How, 'same' | 'differs'>, string>> = {
  promised: 'promised',
  undone: 'promised, and not moved',
  moved: 'moved',
  unsaid: 'moved; the bytes did not say how much',
  besides: 'moved besides',
}

function Units({
  of: { kind, asset },
  units,
  token,
  pending,
}: {
  readonly of: ComparedAmount
  readonly units: string
  readonly token: Token | null
  readonly pending: boolean
}) {
  const { amount, unit, token: address } = sayMove({ kind, asset, amount: units }, token)
  if (pending || amount === null) return <>…</>
  return (
    <>
      <Amount value={amount} unit={unit} />
      {address === null ? null : (
        <>
          {' '}
          <Address text={address} what="token" />
        </>
      )}
    </>
  )
}

import type { Exact, Protocol, ProtocolNetwork } from '../../api/protocols.ts'
import type { Session } from '../../api/types.ts'
import { Card } from '../../parts/layout/card.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Address } from '../../parts/value/address.tsx'
import { Amount } from '../../parts/value/amount.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { termName, termsAsJson, termsInOrder } from './words.ts'

/** The terms that a customer pins: each whole, and copied by a click. */
export function Terms({
  network: { terms, default: isDefault },
  protocol: { symbol, term_descriptions: means },
  account,
  session,
}: {
  readonly network: ProtocolNetwork
  readonly protocol: Protocol
  readonly account: string
  readonly session: Session
}) {
  if (terms === null) {
    return (
      <Card title="Terms">
        <div class="body">
          <Note kind="warn">This plugin has no intent: nobody but the service can check what it crafts, so there is nothing to pin.</Note>
        </div>
      </Card>
    )
  }
  return (
    <Card title="Terms" about="as customers pin them" actions={<Copy text={termsAsJson(isDefault, terms)} label="Copy as JSON" />}>
      <div class="body stack">
        <dl class="kv wide">
          {termsInOrder(terms, Object.keys(means)).map(([name, value]) => (
            <Term key={name} name={name} value={value} means={means[name]} symbol={symbol} />
          ))}
        </dl>
        <p class="small muted">
          A customer’s client refuses a transaction on any other terms.{' '}
          {session.kind === 'operator' ? (
            <>
              <code>svc trust --account {account}</code> writes them with the signing keys; hand it over by another way than this service.
            </>
          ) : (
            'Compare them with the trust document that the operator gave you by another way: what stands here comes from the service itself.'
          )}
        </p>
      </div>
    </Card>
  )
}

function Term({
  name,
  value,
  means,
  symbol,
}: {
  readonly name: string
  readonly value: Exact
  readonly means: string | undefined
  readonly symbol: string | null
}) {
  const text = String(value)
  return (
    <>
      <dt>
        {termName(name)} <code class="small">{name}</code>
      </dt>
      <dd>
        {text === '' ? (
          <span class="muted">empty</span>
        ) : name === 'max_fee' ? (
          <Amount value={text} {...(symbol === null ? {} : { unit: symbol })} />
        ) : (
          <Address text={text} what={name} whole />
        )}
        {means === undefined ? null : <p class="small muted">{means}</p>}
      </dd>
    </>
  )
}

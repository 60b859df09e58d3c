import type { AuditRecord } from '../../api/audit.ts'
import { Address } from '../../parts/value/address.tsx'
import { Amount } from '../../parts/value/amount.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { named } from '../../state/names.ts'
import { useResource } from '../../state/resource.ts'
import { api } from '../../state/session.ts'
import { type ProtocolTokens, sayMove, tokenOf } from '../../text/moves.ts'
import { networkName } from '../../text/networks.ts'
import { partsOf } from '../../text/sentence.ts'

/** Shows what a transaction moves, costs, and until when it can be sent. */
export function MovesOf({ record }: { readonly record: AuditRecord }) {
  const { sentence, moves, protocol, network, account } = record
  const { value, failure } = useResource(`protocols ${moves?.length ? account : ''}`, (signal) =>
    // Only amounts need it.
    moves?.length ? api.call<readonly ProtocolTokens[]>('protocols', { signal, query: { account } }) : Promise.resolve([]),
  )
  if (sentence === null && !moves?.length) return null
  const { place, fee, validity } = partsOf(sentence ?? '')
  // Nothing is shown in one unit first and then in another.
  const pending = value === undefined && failure === undefined
  const token = tokenOf(value, protocol, network)
  return (
    <section>
      <div class="part-head">
        <h3>What it does</h3>
        {sentence === null ? null : <Copy text={sentence} label="Copy sentence" bare />}
      </div>
      <dl class="kv">
        {moves?.map((move) => {
          const { what, amount, unit, token: of } = sayMove(move, token)
          return (
            <div class="pair" key={`${move.kind} ${move.asset} ${move.amount}`}>
              <dt>{what}</dt>
              <dd>
                {amount === null ? 'The bytes do not say how much' : pending ? '…' : <Amount value={amount} unit={unit} />}
                {of === null ? null : (
                  <>
                    {' '}
                    <Address text={of} what="token" />
                  </>
                )}
              </dd>
            </div>
          )
        })}
        {fee === null ? null : (
          <div class="pair">
            <dt>Fee, at most</dt>
            <dd>
              <FeeOf text={fee} />
            </dd>
          </div>
        )}
        {validity === null ? null : (
          <div class="pair">
            <dt>Valid</dt>
            <dd>{validity.replace(/^valid /, '')}</dd>
          </div>
        )}
        {place === null ? null : (
          <div class="pair">
            <dt>Network</dt>
            <dd>{networkName(named.value, place, protocol)}</dd>
          </div>
        )}
      </dl>
    </section>
  )
}

function FeeOf({ text }: { readonly text: string }) {
  const [value = text, unit] = text.split(' ')
  return <Amount value={value} {...(unit === undefined ? {} : { unit })} />
}

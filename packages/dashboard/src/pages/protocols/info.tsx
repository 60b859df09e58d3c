import type { Exact, StakingInfo } from '../../api/protocols.ts'
import { Amount } from '../../parts/value/amount.tsx'
import { INFO, type InfoWord, infoText } from './words.ts'

/** Terms of staking in words, with every digit that the service gave. */
export function Info({ info, symbol }: { readonly info: StakingInfo; readonly symbol: string | null }) {
  return (
    <dl class="kv wide facts">
      {INFO.map((word) => (
        <Fact key={word.member} word={word} value={info[word.member]} symbol={symbol} />
      ))}
    </dl>
  )
}

function Fact({
  word: { name, member, kind, none },
  value,
  symbol,
}: {
  readonly word: InfoWord
  readonly value: Exact | null
  readonly symbol: string | null
}) {
  return (
    <>
      <dt title={member}>{name}</dt>
      {value === null ? (
        <dd class="muted">{none}</dd>
      ) : kind === 'amount' ? (
        <dd>
          <Amount value={String(value)} {...(symbol === null ? {} : { unit: symbol })} />
        </dd>
      ) : (
        <dd class="num">{infoText(value, kind)}</dd>
      )}
    </>
  )
}

import { formatUnits } from '@svc/verify/intent'
import { Fragment } from 'preact'
import { Note } from '../../parts/notice/note.tsx'
import { Amount } from '../../parts/value/amount.tsx'
import type { Draft } from './answers.ts'
import type { Choice } from './choices.ts'

const KINDS = { leaves: 'Leaves the wallet', staked: 'Is staked', freed: 'Is freed', arrives: 'Arrives' } as const

/** Shows what was read out of the bytes: the sentence, what moves, and what was taken on the service's word. */
export function Checked({
  transaction: { sentence, moves, assumed },
  choice: { symbol, decimals },
}: {
  readonly transaction: Draft
  readonly choice: Choice
}) {
  return (
    <>
      <Note kind="ok">
        <span role="status" class="break">
          {sentence}
        </span>
      </Note>
      <p class="muted">
        The sentence is made from the bytes alone. Everything in them is as asked, on the terms of the trust document. Here that came from
        the service itself; for real money it comes once, from your operator, by another channel (<code>svc trust</code>).
      </p>
      {moves.length > 0 || assumed.length > 0 ? (
        <dl class="kv">
          {moves.map(({ kind, asset, amount }) => (
            <Fragment key={`${kind} ${asset}`}>
              <dt>{KINDS[kind]}</dt>
              <dd>
                {amount === null ? (
                  'as much as the chain says'
                ) : asset === 'native' ? (
                  <Amount value={formatUnits(amount, decimals)} unit={symbol} />
                ) : (
                  <Amount value={String(amount)} unit={`units of ${asset}`} />
                )}
              </dd>
            </Fragment>
          ))}
          {assumed.map(({ fact, value, bound, cost }) => (
            <Fragment key={fact}>
              <dt>Taken on its word</dt>
              <dd>
                {fact} is <span class="mono">{value}</span>; bound: {bound}
                {cost === undefined ? null : `. At worst it costs ${cost}`}
              </dd>
            </Fragment>
          ))}
        </dl>
      ) : null}
    </>
  )
}

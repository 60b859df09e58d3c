import type { Amount as Exact, StakingObject } from '@svc/client'
import { Note } from '../../parts/notice/note.tsx'
import { Address } from '../../parts/value/address.tsx'
import { Amount } from '../../parts/value/amount.tsx'
import { narrow } from '../../state/media.ts'
import { count } from '../../text/amount.ts'
import { PARTS, partsOf, standing } from './standing.ts'
import type { Journey } from './use-journey.ts'

/** Most objects that are listed: the rest are counted. */
const MOST = 10

/** The position before the stake and now, and what is still to come. */
export function Position({ journey: { before, now, choice, amount } }: { readonly journey: Journey }) {
  const { symbol } = choice
  if (now === null) return <Note kind="warn">The transaction has left, but the position could not be read. Read it again.</Note>
  const { kind, sentence } = standing(before, now, amount.trim(), symbol)
  const cell = (value: Exact | null | undefined) =>
    value ? <Amount value={value.text} digits={narrow.value ? 4 : 9} /> : <span class="muted">–</span>
  return (
    <>
      <Note kind={kind}>
        <span role="status">{sentence}</span>
      </Note>
      <table class="position">
        <thead>
          <tr>
            <th scope="col">In {symbol}</th>
            <th scope="col">Before</th>
            <th scope="col">Now</th>
          </tr>
        </thead>
        <tbody>
          {partsOf(before, now).map((part) => (
            <tr key={part}>
              <th scope="row">{PARTS[part]}</th>
              <td>{cell(before?.[part])}</td>
              <td>{cell(now[part])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {now.objects && now.objects.length > 0 ? <Objects objects={now.objects} symbol={symbol} /> : null}
    </>
  )
}

/** Units of the position that have an id of their own. */
function Objects({ objects, symbol }: { readonly objects: readonly StakingObject[]; readonly symbol: string }) {
  return (
    <table class="position">
      <thead>
        <tr>
          <th scope="col">{objects.length === 1 ? 'Its object' : `Its ${count(objects.length)} objects`}</th>
          <th scope="col">State</th>
          <th scope="col">{symbol}</th>
        </tr>
      </thead>
      <tbody>
        {objects.slice(0, MOST).map(({ id, status, amount }) => (
          <tr key={id}>
            <td>
              <Address text={id} what="object" />
            </td>
            <td>{status}</td>
            <td>{amount === null ? '–' : <Amount value={amount.text} digits={narrow.value ? 4 : 9} />}</td>
          </tr>
        ))}
        {objects.length > MOST ? (
          <tr>
            <td colSpan={3}>and {count(objects.length - MOST)} more</td>
          </tr>
        ) : null}
      </tbody>
    </table>
  )
}

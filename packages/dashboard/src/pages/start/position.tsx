import type { Amount as Exact } from '@svc/client'
import { Amount } from '../../parts/amount.tsx'
import { Note } from '../../parts/note.tsx'
import { PARTS, partsOf, standing } from './standing.ts'
import type { Journey } from './use-journey.ts'

/** The position before the stake and now, and what is still to come. */
export function Position({ journey: { before, now, choice, amount } }: { readonly journey: Journey }) {
  const { symbol } = choice
  if (now === null) return <Note kind="warn">The transaction was sent, but the position could not be read. Read it again.</Note>
  const { kind, sentence } = standing(before, now, amount.trim(), symbol)
  const cell = (value: Exact | null | undefined) => (value ? <Amount value={value.text} digits={9} /> : <span class="muted">–</span>)
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
    </>
  )
}

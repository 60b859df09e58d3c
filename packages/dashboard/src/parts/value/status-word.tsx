import type { FollowedTransaction } from '../../api/transactions.ts'
import { standingOf } from '../../text/status.ts'
import { State, Tag } from './state.tsx'

/** Shows the state of a transaction, in a word, and how sure it is; only what is not normal is tinted. */
export function StatusWord({ of }: { readonly of: Pick<FollowedTransaction, 'status' | 'certainty' | 'differences'> }) {
  const { word, certainty, look } = standingOf(of)
  const sure = <span class="muted">{certainty}</span>
  return (
    <span class="status-word">
      {look === 'ok' || look === 'pending' ? <State kind={look}>{word}</State> : <Tag kind={look}>{word}</Tag>}
      {sure}
    </span>
  )
}

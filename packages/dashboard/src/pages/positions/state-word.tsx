import type { Position } from '../../api/positions.ts'
import { State, Tag } from '../../parts/value/state.tsx'
import { Distance } from '../../parts/value/time.tsx'
import { STATES, showsSlash } from './words.ts'

/** Shows the state of a position in a word, the worst of its book and its stake; only what is not normal is tinted. */
export function PositionStateWord({ of }: { readonly of: Pick<Position, 'state' | 'slashed_30d' | 'read_at'> }) {
  if (showsSlash(of)) return <Tag kind="bad">Slashed, 30 d</Tag>
  const { word, look } = STATES[of.state]
  if (look === 'quiet') return <State kind="ok">{word}</State>
  if (look === 'pending' || look === 'off') return <State kind={look}>{word}</State>
  if (of.state === 'stale' && of.read_at !== null) {
    return (
      <Tag kind={look}>
        <span>
          Read <Distance at={of.read_at} />
        </span>
      </Tag>
    )
  }
  return <Tag kind={look}>{word}</Tag>
}

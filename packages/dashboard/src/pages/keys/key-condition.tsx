import type { ApiKey } from '../../api/keys.ts'
import { State, Tag } from '../../parts/value/state.tsx'
import { conditionOf } from './condition.ts'

/** Shows the condition of a key, in a word; only what is not normal is tinted. */
export function KeyCondition({ of }: { readonly of: ApiKey }) {
  const condition = conditionOf(of, Date.now())
  if (condition === 'soon') return <Tag kind="warn">Ends soon</Tag>
  if (condition === 'active') return <State kind="ok">Active</State>
  return <State kind="off">{condition === 'off' ? 'Off' : 'Expired'}</State>
}

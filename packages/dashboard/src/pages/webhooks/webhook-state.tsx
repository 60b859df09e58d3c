import type { Webhook } from '../../api/webhooks.ts'
import { State, Tag } from '../../parts/value/state.tsx'
import { STATES } from './words.ts'

/** Shows the state of a webhook, in a word; only what is not normal is tinted. */
export function WebhookState({ of: { status } }: { readonly of: Pick<Webhook, 'status'> }) {
  if (status === 'enabled') return <State kind="ok">{STATES.enabled}</State>
  if (status === 'failing') return <Tag kind="warn">{STATES.failing}</Tag>
  return <Tag kind="bad">{STATES.disabled}</Tag>
}

import type { ApiFailure } from '../../api/failure.ts'
import type { Webhook, WebhookInput } from '../../api/webhooks.ts'
import type { FaultsOf } from '../../state/form.ts'

/** Values that were typed and chosen. */
export interface Draft {
  /** Id of the account; null where the token says it, empty while none was chosen. */
  readonly account: string | null
  readonly url: string
  readonly description: string
  /** null: every event, also those that are yet to be invented. */
  readonly events: readonly string[] | null
  /** null: every protocol. */
  readonly protocols: readonly string[] | null
}

/** Fault of each member, in a sentence. */
type Faults = FaultsOf<Draft>

/** Makes an empty form for an account. */
export function emptyDraft(account: string | null): Draft {
  return { account, url: '', description: '', events: null, protocols: null }
}

/** Makes a form that says what a webhook has. */
export function draftOf({ account, url, description, events, protocols }: Webhook): Draft {
  return { account: account ?? null, url, description: description ?? '', events, protocols }
}

/** Finds the faults that can be told before asking the service. */
export function faultsOf({ account, url, events, protocols }: Draft): Faults {
  return {
    ...(account === '' ? { account: 'Choose the account that the webhook is for.' } : {}),
    ...(isAddress(url) ? {} : { url: 'Write the whole address, as https://example.org/hooks/staking.' }),
    ...(events?.length === 0 ? { events: 'Choose at least one event, or every event.' } : {}),
    ...(protocols?.length === 0 ? { protocols: 'Choose at least one protocol, or every protocol.' } : {}),
  }
}

function isAddress(text: string): boolean {
  const url = URL.parse(text.trim())
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}

/** Returns what a new webhook is given. */
export function inputOf({ url, description, events, protocols }: Draft): WebhookInput {
  return { url: url.trim(), description: description.trim() === '' ? null : description, events, protocols }
}

/** Returns what differs from the webhook, null when nothing does. */
export function changesOf(webhook: Webhook, draft: Draft): Partial<WebhookInput> | null {
  const input = inputOf(draft)
  const changes = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(webhook[name as keyof WebhookInput])),
  )
  return Object.keys(changes).length === 0 ? null : changes
}

/** Returns a list of types with a type or family chosen or not. A family stands for each of its types. */
export function toggled(events: readonly string[], name: string, on: boolean): readonly string[] {
  const family = name.endsWith('.*') ? name.slice(0, -1) : null
  const rest = events.filter((each) => each !== name && (family === null || !each.startsWith(family)))
  return on ? [...rest, name] : rest
}

/** The member of the form that each refusal is about; codes of core/codes.ts. */
const MEMBERS: Readonly<Record<string, keyof Draft>> = {
  WEBHOOK_URL_REFUSED: 'url',
  ACCOUNT_REQUIRED: 'account',
  UNKNOWN_ACCOUNT: 'account',
}

/** Returns the member that a failure is about; null when it is about none. */
export function memberOf({ code }: Pick<ApiFailure, 'code'>): keyof Draft | null {
  return code === null ? null : (MEMBERS[code] ?? null)
}

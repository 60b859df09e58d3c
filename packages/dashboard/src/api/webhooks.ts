import type { Client } from './client.ts'

/** Status of a webhook: `failing` since its last attempt failed; to one that is `disabled` nothing is sent. */
export type WebhookStatus = 'enabled' | 'failing' | 'disabled'

/** A receiver of events, as the service tells of it: never its secret. Times are ISO-8601. */
export interface Webhook {
  readonly ulid: string
  readonly url: string
  readonly description: string | null
  /** Types, and families of them such as `transaction.*`; null: all. */
  readonly events: readonly string[] | null
  /** Short names; null: all. */
  readonly protocols: readonly string[] | null
  readonly rewards_threshold: Readonly<Record<string, string>> | null
  readonly status: WebhookStatus
  /** Why it is failing or disabled. */
  readonly reason: string | null
  readonly failing_since: string | null
  readonly paused_until: string | null
  readonly public_key: string | null
  /** Time until which the former secret signs too. */
  readonly old_secret_until: string | null
  readonly backlog: {
    readonly waiting: number
    readonly next_at: string | null
    readonly missed: number
    readonly missed_since: string | null
  }
  readonly created_at: string
  readonly updated_at: string
  /** Told to operators only. */
  readonly account?: string
}

/** With a secret that was made a moment ago, and is told this once. */
export interface NewWebhook extends Webhook {
  readonly secret: string
}

/** Members that a webhook is given; in a change, what is left out stays. */
export interface WebhookInput {
  readonly url: string
  readonly description: string | null
  readonly events: readonly string[] | null
  readonly protocols: readonly string[] | null
}

/** An event on its way to a webhook. */
export interface Delivery {
  readonly id: string
  /** Id of the event. */
  readonly event: string
  /** null: the event is no longer kept. */
  readonly type: string | null
  readonly state: 'pending' | 'delivered' | 'dead'
  /** Number of attempts, of 10. */
  readonly attempts: number
  readonly next_at: string | null
  readonly last_at: string | null
  /** HTTP status of the last answer. */
  readonly status: number | null
  /** Reason why the last attempt failed. */
  readonly error: string | null
  readonly latency_ms: number | null
  /** Begin of the last answer. */
  readonly answer: string | null
  readonly created_at: string
  readonly ended_at: string | null
}

/** A part of what was sent. */
export interface DeliveryPage {
  /** Newest first. */
  readonly deliveries: readonly Delivery[]
  readonly next: string | null
}

/** Result of a replay. */
interface Replay {
  readonly queued: number
  /** `after` of the next one; null: that was all. */
  readonly next: string | null
}

const at = (ulid: string, rest = '') => `webhooks/${encodeURIComponent(ulid)}${rest}`

/** Reads the webhooks of an account, or of all that the token may see. @param account null leaves it to the token */
export async function readWebhooks(api: Client, account: string | null, signal: AbortSignal): Promise<readonly Webhook[]> {
  return api.call<readonly Webhook[]>('webhooks', { query: { account }, signal })
}

/** Makes one. @param account for whom, with an operator's token */
export function createWebhook(api: Client, input: WebhookInput, account: string | null): Promise<NewWebhook> {
  return api.call<NewWebhook>('webhooks', { method: 'POST', query: { account }, body: input })
}

/** Changes one, or disables or enables it. */
export function changeWebhook(
  api: Client,
  ulid: string,
  changes: Partial<WebhookInput> & { readonly enabled?: boolean },
): Promise<Webhook> {
  return api.call<Webhook>(at(ulid), { method: 'PATCH', body: changes })
}

/** Gives it another secret. @param hours for which the one before signs too */
export function rotateWebhook(api: Client, ulid: string, hours: number): Promise<NewWebhook> {
  return api.call<NewWebhook>(at(ulid, '/rotate'), { method: 'POST', query: { overlap_hours: hours } })
}

/** Deletes it for good. */
export async function removeWebhook(api: Client, ulid: string): Promise<void> {
  await api.call<null>(at(ulid), { method: 'DELETE' })
}

/** Sends a ping. @returns id of its event */
export async function testWebhook(api: Client, ulid: string): Promise<string> {
  return (await api.call<{ readonly event: string }>(at(ulid, '/test'), { method: 'POST' })).event
}

/** Reads what was sent. */
export function readDeliveries(
  api: Client,
  ulid: string,
  query: { readonly state?: Delivery['state'] | undefined; readonly before?: string | undefined; readonly limit: number },
  signal?: AbortSignal,
): Promise<DeliveryPage> {
  return api.call<DeliveryPage>(at(ulid, '/deliveries'), { query, ...(signal ? { signal } : {}) })
}

/** Sends one event again. */
export function resendDelivery(api: Client, ulid: string, id: string): Promise<Delivery> {
  return api.call<Delivery>(at(ulid, `/deliveries/${encodeURIComponent(id)}/resend`), { method: 'POST' })
}

/** Sends the events of a time again, to the end of it. @returns how many are sent */
export async function replayWebhook(
  api: Client,
  ulid: string,
  range: { readonly from: string; readonly to?: string; readonly delivered: boolean },
): Promise<number> {
  let queued = 0
  let after: string | null = null
  for (;;) {
    const body = { ...range, ...(after === null ? {} : { after }) }
    const part: Replay = await api.call<Replay>(at(ulid, '/replay'), { method: 'POST', body })
    queued += part.queued
    // Where the backlog is full it goes on from where it stands: later, not now.
    if (part.next === null || part.next === after) return queued
    after = part.next
  }
}

import { jsonOf, type Row, timeOf, timeOrNull } from '../db/work.ts'
import { atLeast } from './decimal.ts'
import { passes } from './event-types.ts'

/** `failing`: its last deliveries failed; `disabled`: nothing is sent, and nothing new queued. */
export type WebhookStatus = 'enabled' | 'failing' | 'disabled'

/** A receiver of events. */
export interface Webhook {
  readonly ulid: string
  readonly account: string
  readonly url: string
  readonly description: string | null
  /** Types and families; null: all. */
  readonly events: readonly string[] | null
  /** Short names of plugins; null: all. What is of no protocol comes regardless. */
  readonly protocols: readonly string[] | null
  /** From which amount on, by protocol, claimable rewards are told of: decimal text in whole tokens. Without one for a protocol they are not. */
  readonly rewardsThreshold: Readonly<Record<string, string>> | null
  readonly status: WebhookStatus
  /** Why it is failing or disabled, in a sentence. */
  readonly reason: string | null
  /** Since when every attempt has failed. */
  readonly failingSince: Date | null
  /** Nothing is sent before. */
  readonly pausedUntil: Date | null
  /** Grows with each rotation. */
  readonly secretVersion: number
  /** Until when the secret of the version before signs too. */
  readonly secretUntil: Date | null
  /** Fingerprint of the pepper that the secret is derived from, and that of the version before. */
  readonly pepper: string
  readonly formerPepper: string | null
  /** Number of events that were not queued for the webhook, because its backlog was full, and since when. */
  readonly missed: number
  readonly missedSince: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A row of `svc_webhooks`. */
export function webhookOf(row: Row): Webhook {
  const optional = (value: unknown) => (value === null ? null : String(value))
  return {
    ulid: String(row.ulid),
    account: String(row.account),
    url: String(row.url),
    description: optional(row.description),
    events: jsonOf(row.events),
    protocols: jsonOf(row.protocols),
    rewardsThreshold: jsonOf(row.rewards_threshold),
    status: row.status as WebhookStatus,
    reason: optional(row.reason),
    failingSince: timeOrNull(row.failing_since),
    pausedUntil: timeOrNull(row.paused_until),
    secretVersion: Number(row.secret_version),
    secretUntil: timeOrNull(row.secret_until),
    pepper: String(row.pepper),
    formerPepper: optional(row.former_pepper),
    missed: Number(row.missed),
    missedSince: timeOrNull(row.missed_since),
    createdAt: timeOf(row.created_at),
    updatedAt: timeOf(row.updated_at),
  }
}

/** Members of an event that a subscription is compared with. */
interface Offered {
  readonly type: string
  /** Left out: of no plugin. */
  readonly protocol?: string | undefined
  /** Decimal text in whole tokens; left out: nothing of this kind. */
  readonly rewards?: string | undefined
}

/** Tells whether a receiver subscribed to an event. */
export function wants({ events, protocols, rewardsThreshold }: Webhook, { type, protocol, rewards }: Offered): boolean {
  if (!passes(events, type)) return false
  if (protocol === undefined) return true
  if (protocols !== null && !protocols.includes(protocol)) return false
  const threshold = rewardsThreshold?.[protocol]
  return rewards === undefined || (threshold !== undefined && atLeast(rewards, threshold))
}

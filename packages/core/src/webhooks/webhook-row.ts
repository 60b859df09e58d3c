import { jsonOf, type Row, timeOf, timeOrNull } from '../db/work.ts'
import { atLeast } from './decimal.ts'
import { passes } from './event-types.ts'

/** Status of a receiver. `failing`: its last deliveries failed; `disabled`: nothing is sent, and nothing new is queued. */
export type WebhookStatus = 'enabled' | 'failing' | 'disabled'

/** A receiver of events. */
export interface Webhook {
  readonly ulid: string
  readonly account: string
  readonly url: string
  readonly description: string | null
  /** Types and families of events that the receiver gets; null: all. */
  readonly events: readonly string[] | null
  /** Short names of the plugins whose events the receiver gets; null: all. Events that belong to no plugin are always sent. */
  readonly protocols: readonly string[] | null
  /** Amounts from which on claimable rewards cause an event, by protocol: decimal text in whole tokens. A protocol without an amount causes none. */
  readonly rewardsThreshold: Readonly<Record<string, string>> | null
  readonly status: WebhookStatus
  /** Sentence on why the receiver is failing or disabled. */
  readonly reason: string | null
  /** Time since which every attempt has failed. */
  readonly failingSince: Date | null
  /** Time before which nothing is sent. */
  readonly pausedUntil: Date | null
  /** Version of the secret, which grows with each rotation. */
  readonly secretVersion: number
  /** Time until which the former secret signs too. */
  readonly secretUntil: Date | null
  /** Fingerprints of the peppers from which the present secret (`pepper`) and the former one (`formerPepper`) are derived. */
  readonly pepper: string
  readonly formerPepper: string | null
  /** Number of events that were not queued because the receiver's backlog was full (`missed`), and the time since which that has happened. */
  readonly missed: number
  readonly missedSince: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Reads a row of `svc_webhooks`. */
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
  /** Short name of the event's plugin; left out: it belongs to none. */
  readonly protocol?: string | undefined
  /** Amount of claimable rewards that the event tells of, as decimal text in whole tokens; left out: it tells of none. */
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

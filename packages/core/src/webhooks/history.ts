import type { Severity } from '@svc/contract/control'
import type { SQL } from 'drizzle-orm'
import { notFound, serviceError } from '../base/codes.ts'
import { core } from '../db/drizzle.ts'
import { aside, type ListStore, readList } from '../db/slices.ts'
import { ask, listed, type Row, timeOf, timeOrNull, type Work, type WorkDatabase } from '../db/work.ts'
import type { EventType } from './event-types.ts'
import { lockWebhook, type WebhookScope } from './manage.ts'
import { queue } from './queue.ts'
import { wants } from './webhook-row.ts'

const { sql } = core()

export type DeliveryState = 'pending' | 'delivered' | 'dead'

/** An event for a receiver. */
export interface Delivery {
  readonly id: string
  readonly event: string
  /** Type of the event; null: the event is no longer kept. */
  readonly type: EventType | null
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: Date
  readonly lastAt: Date | null
  readonly status: number | null
  readonly error: string | null
  readonly latencyMs: number | null
  readonly answer: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}

/** An event as it is kept. */
export interface KeptEvent {
  readonly id: string
  readonly account: string
  readonly type: EventType
  readonly subject: string
  readonly protocol: string | null
  readonly sequence: number
  readonly createdAt: Date
  /** Weight of a change that no followed transaction explains; null: the event is about something else. */
  readonly severity: Severity | null
  /** Time when somebody put the event's alarm away; null: nobody has. */
  readonly dismissedAt: Date | null
  /** Body that is signed and sent, to the byte. */
  readonly body: string
}

/** Filter of an account's events. Members left out do not restrict. */
export interface EventFilter {
  readonly account: string
  readonly type?: string | undefined
  readonly subject?: string | undefined
  readonly severity?: Severity | undefined
  readonly protocol?: string | undefined
  /** Earliest time at which the event was written, inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly to?: Date | undefined
  /** Sequence number above which events are listed, the lowest first. */
  readonly after?: number | undefined
  /** Sequence number below which events are listed. */
  readonly before?: number | undefined
  readonly limit: number
}

/** A page of a list. A page of which the search ran out of time has fewer rows than asked for, or none. */
interface HistoryPage<Found, Place> {
  readonly rows: readonly Found[]
  /** Place where the next page begins; null: this was the last one. */
  readonly next: Place | null
}

/** Reads a page of the events of an account, newest first, or with `after` oldest first. */
export async function readEvents(store: ListStore, filter: EventFilter): Promise<HistoryPage<KeptEvent, number>> {
  const { account, type, subject, severity, protocol, from, to, after, before, limit } = filter
  const { rows, next } = await readList(store, (database) => {
    const off = (column: SQL) => aside(database, column)
    const isBySubject = subject !== undefined
    const isBySeverity = severity !== undefined && !isBySubject
    const isByType = type !== undefined && !isBySubject && !isBySeverity
    return {
      columns: sql`*`,
      from: sql`svc_events`,
      by: sql`sequence`,
      order: after === undefined ? 'newest first' : 'oldest first',
      scope: [
        sql`account = ${account}`,
        ...(isBySubject ? [sql`subject = ${subject}`] : []),
        ...(isBySeverity ? [sql`severity = ${severity}`] : []),
        ...(isByType ? [sql`type = ${type}`] : []),
      ],
      rest: [
        ...(type === undefined || isByType ? [] : [sql`${off(sql`type`)} = ${type}`]),
        ...(severity === undefined || isBySeverity ? [] : [sql`${off(sql`severity`)} = ${severity}`]),
        ...(protocol === undefined ? [] : [sql`${off(sql`protocol`)} = ${protocol}`]),
        ...(from === undefined ? [] : [sql`${off(sql`created_at`)} >= ${database.at(from)}`]),
        ...(to === undefined ? [] : [sql`${off(sql`created_at`)} < ${database.at(to)}`]),
        ...(after === undefined || before === undefined ? [] : [sql`sequence < ${before}`]),
      ],
      behind: after ?? before,
      limit,
    }
  })
  return { rows: rows.map(eventOf), next: next === null ? null : Number(next) }
}

/** Reads a page of the deliveries to a webhook, newest first. */
export async function readDeliveries(
  store: ListStore,
  webhook: string,
  { state, before, limit }: { readonly state?: DeliveryState | undefined; readonly before?: string | undefined; readonly limit: number },
): Promise<HistoryPage<Delivery, string>> {
  const { rows, next } = await readList(store, (database) => ({
    columns: sql`d.*, e.type`,
    from: sql`svc_deliveries d left join svc_events e on e.id = d.event`,
    by: sql`d.id`,
    order: 'newest first',
    scope: [sql`d.webhook = ${webhook}`],
    rest: state === undefined ? [] : [sql`${aside(database, sql`d.state`)} = ${state}`],
    behind: before,
    limit,
  }))
  return { rows: rows.map(deliveryOf), next: next === null ? null : String(next) }
}

/**
 * Sends an event again, as if it were new; what is being sent of it changes nothing any more.
 *
 * @throws 404 `WEBHOOK_NOT_FOUND`, `DELIVERY_NOT_FOUND`; 409 `WEBHOOK_DISABLED`, `EVENT_GONE`
 */
export function* resend(database: WorkDatabase, scope: WebhookScope, id: string): Work<Delivery> {
  const webhook = yield* lockWebhook(database, scope)
  requireEnabled(webhook)
  const read = () =>
    ask(sql`
      select d.*, e.type from svc_deliveries d left join svc_events e on e.id = d.event where d.id = ${id} and d.webhook = ${webhook.ulid}`)
  const [delivery] = yield* read()
  if (!delivery)
    throw notFound(
      'DELIVERY_NOT_FOUND',
      `The webhook has no delivery ${JSON.stringify(id.slice(0, 40).toWellFormed())}; they are kept for 30 days.`,
    )
  if (delivery.type === null) throw serviceError(409, 'EVENT_GONE', 'The event is no longer kept; events are for 30 days.')
  yield* again(database, [id])
  const [now] = yield* read()
  return deliveryOf(now ?? delivery)
}

/** Selection of the events that are sent again. */
export interface Replay {
  /** Earliest time at which an event was written, inclusive. */
  readonly from: Date
  /** Exclusive. */
  readonly to: Date
  /** True if events that were already delivered are sent again too. */
  readonly delivered: boolean
  readonly after: number
}

/** Events that one replay looks at. */
const REPLAYED = 1_000

/**
 * Queues the events of a time that a receiver subscribes to now and has not got.
 *
 * @returns how many, and the number after which to go on; null: that was all
 * @throws 404 `WEBHOOK_NOT_FOUND`; 409 `WEBHOOK_DISABLED`, `WEBHOOK_BACKLOG_FULL`
 */
export function* replay(
  database: WorkDatabase,
  scope: WebhookScope,
  { from, to, delivered, after }: Replay,
  backlog: number,
): Work<{ readonly queued: number; readonly next: number | null }> {
  const webhook = yield* lockWebhook(database, scope)
  requireEnabled(webhook)
  const { ulid, account } = webhook
  const [waiting] = yield* ask(sql`select count(*) as count from svc_deliveries where webhook = ${ulid} and state = 'pending'`)
  const room = Math.min(REPLAYED, backlog - Number(waiting?.count))
  if (room <= 0)
    throw serviceError(
      409,
      'WEBHOOK_BACKLOG_FULL',
      `${waiting?.count} deliveries wait for this webhook already, which is the most; try again when it has taken some.`,
    )
  const batch = (yield* ask(sql`
    select * from svc_events where account = ${account} and sequence > ${after} and created_at >= ${database.at(from)} and created_at < ${database.at(to)}
    order by sequence limit ${room + 1}`)).map(eventOf)
  const page = batch.slice(0, room)
  const matches = page.filter(
    ({ type, protocol, body }) => type !== 'ping' && wants(webhook, { type, protocol: protocol ?? undefined, rewards: rewardsOf(body) }),
  )
  const rows = yield* ask(sql`
    select id, event, state from svc_deliveries where webhook = ${ulid} and event in ${listed(matches.map(({ id }) => id))}`)
  const there = new Set(rows.map(({ event }) => String(event)))
  const fresh = matches.filter(({ id }) => !there.has(id)).map(({ id }) => id)
  yield* queue(database, [{ webhook: ulid, events: fresh }], backlog)
  const ended = rows.filter(({ state }) => state === 'dead' || (delivered && state === 'delivered')).map(({ id }) => String(id))
  yield* again(database, ended)
  const last = batch.length > room ? (page.at(-1)?.sequence ?? null) : null
  if (last === null && webhook.missedSince && from.getTime() <= webhook.missedSince.getTime())
    yield* ask(
      sql`update svc_webhooks set missed = 0, missed_since = null where ulid = ${ulid} and missed_since < ${database.at(to)} returning ulid`,
    )
  return { queued: fresh.length + ended.length, next: last }
}

/** Refuses a webhook that is disabled. @throws 409 `WEBHOOK_DISABLED` */
export function requireEnabled({ status, reason }: { readonly status: string; readonly reason: string | null }): void {
  if (status === 'disabled')
    throw serviceError(
      409,
      'WEBHOOK_DISABLED',
      `The webhook is disabled: ${reason ?? 'no reason is known'} Enable it first, with {"enabled": true}.`,
    )
}

function* again({ now }: WorkDatabase, ids: readonly string[]): Work<void> {
  yield* ask(sql`
    update svc_deliveries set state = 'pending', attempts = 0, next_at = ${now}, owner = null, lease_until = null, fence = fence + 1, ended_at = null
    where id in ${listed(ids)} returning id`)
}

/** Reads the amount that a threshold is compared with, as the body of the event says it. */
function rewardsOf(body: string): string | undefined {
  const { data } = JSON.parse(body) as { readonly data: { readonly rewards?: { readonly amount?: string } } }
  return data.rewards?.amount
}

/** Reads an event of a row. */
export function eventOf(row: Row): KeptEvent {
  return {
    id: String(row.id),
    account: String(row.account),
    type: row.type as EventType,
    subject: String(row.subject),
    protocol: row.protocol === null ? null : String(row.protocol),
    sequence: Number(row.sequence),
    createdAt: timeOf(row.created_at),
    severity: row.severity as Severity | null,
    dismissedAt: timeOrNull(row.dismissed_at),
    body: String(row.body),
  }
}

function deliveryOf(row: Row): Delivery {
  const text = (value: unknown) => (value === null ? null : String(value))
  const count = (value: unknown) => (value === null ? null : Number(value))
  return {
    id: String(row.id),
    event: String(row.event),
    type: row.type as EventType | null,
    state: row.state as DeliveryState,
    attempts: Number(row.attempts),
    nextAt: timeOf(row.next_at),
    lastAt: timeOrNull(row.last_at),
    status: count(row.last_status),
    error: text(row.last_error),
    latencyMs: count(row.latency_ms),
    answer: text(row.answer),
    createdAt: timeOf(row.created_at),
    endedAt: timeOrNull(row.ended_at),
  }
}

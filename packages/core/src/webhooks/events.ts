import { core } from '../db/drizzle.ts'
import { effectsToJson, type Json } from '../db/json.ts'
import { nextUlid } from '../db/ulid.ts'
import type { WorkRunner } from '../db/work.ts'
import { ask, type Work, type WorkDatabase, type WorkOptions } from '../db/work.ts'
import { type EventType, severityOf } from './event-types.ts'
import { queue } from './queue.ts'
import { wants, webhookOf } from './webhook-row.ts'

const { sql } = core()

/** Something that happened, for one account. */
export interface NewEvent {
  readonly account: string
  readonly type: EventType
  /** Subject of the event, such as a transaction, a wallet's position or a key: `eip155:143 0x8b42…`. */
  readonly subject: string
  /**
   * Text that makes the event differ from all others of its type and subject: `block 123`, say. Of two events with equal account, type, subject and
   * transition, the second is not written.
   */
  readonly transition: string
  /** When it happened. */
  readonly time: Date
  /** Short name of the plugin that the event is about; left out: it is about none. */
  readonly protocol?: string
  /** Members of the body's `data`, of which `severity` makes an alarm. A `bigint` is written as decimal text; `sequence` is added. Never anything secret, never bytes to sign. */
  readonly data: Readonly<Record<string, unknown>>
  /** Amount of a `position.rewards_claimable`, as decimal text in whole tokens, to compare with a subscription's threshold; `data.rewards.amount` says the same. */
  readonly rewards?: string
  /** ULIDs of the only receivers of the event, whatever they subscribed to. */
  readonly to?: readonly string[]
}

/** An event as it is kept. */
export interface StoredEvent {
  /** `msg_` and a ULID; the `webhook-id` of each attempt to deliver it. */
  readonly id: string
  readonly account: string
  readonly type: EventType
  readonly subject: string
  /** Number that grows with each event of the account: of two events about the same subject, the one with the higher number is newer. */
  readonly sequence: number
}

/** Writer of events. */
export interface Events {
  /**
   * To be put into a transaction with the fact: neither is there without the other, nor without the deliveries to those who subscribed. To be the last
   * part that waits for others.
   *
   * @returns the events that were not there before
   * @throws RangeError when a body is larger than `MOST_BYTES`
   */
  insert(database: WorkDatabase, events: readonly NewEvent[]): Work<readonly StoredEvent[]>
  /** Has new events delivered at once. To be called after a commit that did not go through `transact`; without the call, the worker finds the events within seconds. */
  wake(): void
  /** Runs a transaction that inserts events, then calls `wake`. */
  transact<T>(work: (database: WorkDatabase) => Work<T>): Promise<T>
}

interface EventsOptions extends WorkOptions {
  readonly store: WorkRunner
  /** Most deliveries that wait for one receiver. */
  readonly backlog: number
  /** Tells the worker that there are new deliveries. */
  readonly wake: () => void
}

/** Largest body, in bytes. @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md (1.0.0, read 2026-11-22) */
export const MOST_BYTES = 20_000
/** Rows of one statement. */
const CHUNK = 100

/** Writes events to a store. */
export function createEvents({ store, backlog, wake, now }: EventsOptions): Events {
  function* insert(base: WorkDatabase, events: readonly NewEvent[]): Work<readonly StoredEvent[]> {
    // A transaction of somebody else's goes by the database's clock, also where this service does not.
    const database = now ? { ...base, now: base.at(now()) } : base
    const written: StoredEvent[] = []
    // In one order everywhere, so that two transactions never wait for each other's account crosswise.
    for (const account of [...new Set(events.map((event) => event.account))].sort()) {
      const own = yield* writeNumbered(
        database,
        account,
        events.filter((event) => event.account === account),
      )
      yield* address(database, account, own)
      written.push(...own.map(({ event: _, ...stored }) => stored))
    }
    return written
  }

  function* address(database: WorkDatabase, account: string, written: readonly Written[]): Work<void> {
    if (written.length === 0) return
    // Not held: one that is switched off meanwhile is found to be when its delivery is claimed. What delivers has these rows for itself now and then.
    const rows = yield* ask(sql`select * from svc_webhooks where account = ${account} and status <> 'disabled' order by ulid`)
    const wanted = rows.map(webhookOf).map((webhook) => {
      const matches = written.filter(({ event }) => (event.to ? event.to.includes(webhook.ulid) : wants(webhook, event)))
      return { webhook: webhook.ulid, events: matches.map(({ id }) => id) }
    })
    yield* queue(database, wanted, backlog)
  }

  return {
    insert,
    wake,
    async transact(work) {
      const outcome = await store.transact(work, { now })
      wake()
      return outcome
    },
  }
}

interface Written extends StoredEvent {
  readonly event: NewEvent
}

/** Numbers and writes the events of one account. Whoever writes others of it waits from here on, so that their numbers are seen in their order. */
function* writeNumbered(database: WorkDatabase, account: string, events: readonly NewEvent[]): Work<readonly Written[]> {
  const [head] = yield* ask<{ sequence: number | string }>(sql`
    insert into svc_event_heads (account, sequence) values (${account}, ${events.length})
    on conflict (account) do update set sequence = svc_event_heads.sequence + excluded.sequence returning sequence`)
  const before = Number(head?.sequence) - events.length
  const all = events.map((event, index): Written => {
    const { type, subject } = event
    return { id: `msg_${nextUlid(Date.now())}`, account, type, subject, sequence: before + index + 1, event }
  })
  const fresh = new Set<string>()
  for (let at = 0; at < all.length; at += CHUNK) {
    const rows = all.slice(at, at + CHUNK).map((written) => {
      const { id, type, subject, sequence, event } = written
      const { transition, protocol = null } = event
      const severity = severityOf(event.data)
      return sql`(${id}, ${account}, ${type}, ${subject}, ${transition}, ${sequence}, ${protocol}, ${bodyOf(written)}, ${database.now}, ${severity})`
    })
    const inserts = yield* ask<{ id: string }>(sql`
      insert into svc_events (id, account, type, subject, transition, sequence, protocol, body, created_at, severity)
      values ${sql.join(rows, sql`, `)} on conflict do nothing returning id`)
    for (const { id } of inserts) fresh.add(id)
  }
  return all.filter(({ id }) => fresh.has(id))
}

/** Makes the body that is sent, to the byte. */
function bodyOf({ id, sequence, event }: Written): string {
  const data = effectsToJson(event.data) as Readonly<Record<string, Json>>
  const body = JSON.stringify({ type: event.type, timestamp: event.time.toISOString(), id, data: { ...data, sequence } })
  const bytes = Buffer.byteLength(body)
  if (bytes > MOST_BYTES) throw new RangeError(`An event of type ${event.type} has ${bytes} bytes, and may have ${MOST_BYTES}.`)
  return body
}

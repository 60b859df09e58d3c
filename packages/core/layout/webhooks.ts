import { sql } from 'drizzle-orm'
import type { Dialect } from './dialect.ts'

/** Declares the tables of events, webhooks and their deliveries, and the leases of replicas. */
export function webhookTables({ table, text, integer, count, time, index, uniqueIndex, check }: Dialect) {
  /** Who runs what only one process at a time may run (`leases.ts`). */
  const leases = table('svc_leases', {
    name: text('name').primaryKey(),
    owner: text('owner').notNull(),
    until: time('until').notNull(),
    fence: count('fence').notNull(),
  })

  /** Last number of an account's events. The writers of an account's events wait for its row, so that the events are seen in their order. */
  const eventHeads = table('svc_event_heads', {
    account: text('account').primaryKey(),
    sequence: count('sequence').notNull(),
  })

  /** Events, each for one account. `body` is what is sent, to the byte. */
  const events = table(
    'svc_events',
    {
      id: text('id').primaryKey(),
      account: text('account').notNull(),
      type: text('type').notNull(),
      subject: text('subject').notNull(),
      /** Text that makes the event differ from all others of its type and subject: written once. */
      transition: text('transition').notNull(),
      sequence: count('sequence').notNull(),
      protocol: text('protocol'),
      body: text('body').notNull(),
      createdAt: time('created_at').notNull(),
      /** Weight of a change that came from elsewhere: `critical`, `warning`, `info`; null: it is of something else. */
      severity: text('severity'),
      /** When somebody of the account has put its alarm away. */
      dismissedAt: time('dismissed_at'),
    },
    (row) => [
      uniqueIndex('svc_events_once').on(row.account, row.type, row.subject, row.transition),
      uniqueIndex('svc_events_sequence').on(row.account, row.sequence),
      index('svc_events_type').on(row.account, row.type, row.sequence),
      index('svc_events_subject').on(row.account, row.subject, row.sequence),
      index('svc_events_created').on(row.createdAt),
      index('svc_events_severity').on(row.account, row.severity, row.sequence).where(sql`${row.severity} is not null`),
      // Alarms of one account, and of all: asked for every few seconds.
      index('svc_events_alarms')
        .on(row.account, row.severity, row.id)
        .where(sql`${row.severity} is not null and ${row.dismissedAt} is null`),
      index('svc_events_alarms_of_all').on(row.severity, row.id).where(sql`${row.severity} is not null and ${row.dismissedAt} is null`),
    ],
  )

  /** Receivers of events. No secret is in it: `secretVersion` and the fingerprint of a pepper say which one it is. */
  const webhooks = table(
    'svc_webhooks',
    {
      ulid: text('ulid').primaryKey(),
      account: text('account').notNull(),
      url: text('url').notNull(),
      description: text('description'),
      /** JSON: a list of types; null: all. */
      events: text('events'),
      /** JSON: a list of short names; null: all. */
      protocols: text('protocols'),
      /** JSON: decimal amounts by short name; null: none. */
      rewardsThreshold: text('rewards_threshold'),
      status: text('status').notNull(),
      reason: text('reason'),
      failingSince: time('failing_since'),
      /** Nothing is sent before: what its receiver asked for by Retry-After. */
      pausedUntil: time('paused_until'),
      secretVersion: integer('secret_version').notNull(),
      /** Until when the secret before signs too. */
      secretUntil: time('secret_until'),
      pepper: text('pepper').notNull(),
      formerPepper: text('former_pepper'),
      /** Events that were not queued for it, since its backlog was full. */
      missed: integer('missed').notNull().default(0),
      missedSince: time('missed_since'),
      createdAt: time('created_at').notNull(),
      updatedAt: time('updated_at').notNull(),
    },
    (row) => [
      index('svc_webhooks_account').on(row.account, row.ulid),
      check('svc_webhooks_status', sql`${row.status} in ('enabled', 'failing', 'disabled')`),
    ],
  )

  /** An event for a receiver. */
  const deliveries = table(
    'svc_deliveries',
    {
      id: text('id').primaryKey(),
      event: text('event').notNull(),
      webhook: text('webhook').notNull(),
      state: text('state').notNull(),
      attempts: integer('attempts').notNull(),
      /** When it is due. While it is being sent: when it is due again if nobody tells how that ended. */
      nextAt: time('next_at').notNull(),
      owner: text('owner'),
      leaseUntil: time('lease_until'),
      fence: integer('fence').notNull(),
      lastAt: time('last_at'),
      lastStatus: integer('last_status'),
      lastError: text('last_error'),
      latencyMs: integer('latency_ms'),
      /** The first 256 characters of the last answer. */
      answer: text('answer'),
      createdAt: time('created_at').notNull(),
      endedAt: time('ended_at'),
    },
    (row) => [
      uniqueIndex('svc_deliveries_once').on(row.event, row.webhook),
      index('svc_deliveries_list').on(row.webhook, row.id),
      index('svc_deliveries_due').on(row.nextAt).where(sql`${row.state} = 'pending'`),
      index('svc_deliveries_queue').on(row.webhook, row.nextAt).where(sql`${row.state} = 'pending'`),
      index('svc_deliveries_leased').on(row.webhook, row.leaseUntil).where(sql`${row.leaseUntil} is not null`),
      index('svc_deliveries_ended').on(row.endedAt).where(sql`${row.endedAt} is not null`),
      check('svc_deliveries_state', sql`${row.state} in ('pending', 'delivered', 'dead')`),
    ],
  )

  return { leases, eventHeads, events, webhooks, deliveries }
}

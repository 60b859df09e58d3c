import { core, pgCore } from './drizzle.ts'

// The same tables as in schema-sqlite-webhooks.ts; schema-postgres.ts says why they stand twice.
const { pgTable, text, bigint, integer, timestamp, index, uniqueIndex, check } = pgCore()
const { sql } = core()

/** Milliseconds, as a JavaScript date has them: what is read back equals what was written. */
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
const count = (name: string) => bigint(name, { mode: 'number' })

/** Who runs what only one process at a time may run (`leases.ts`). */
export const leases = pgTable('svc_leases', {
  name: text('name').primaryKey(),
  owner: text('owner').notNull(),
  until: time('until').notNull(),
  fence: count('fence').notNull(),
})

/** Last number of an account's events. The writers of an account's events wait for its row, so that the events are seen in their order. */
export const eventHeads = pgTable('svc_event_heads', {
  account: text('account').primaryKey(),
  sequence: count('sequence').notNull(),
})

/** Events, each for one account. `body` is what is sent, to the byte. */
export const events = pgTable(
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
  },
  (table) => [
    uniqueIndex('svc_events_once').on(table.account, table.type, table.subject, table.transition),
    uniqueIndex('svc_events_sequence').on(table.account, table.sequence),
    index('svc_events_type').on(table.account, table.type, table.sequence),
    index('svc_events_subject').on(table.account, table.subject, table.sequence),
    index('svc_events_created').on(table.createdAt),
  ],
)

/** Receivers of events. No secret is in it: `secretVersion` and the fingerprint of a pepper say which one it is. */
export const webhooks = pgTable(
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
  (table) => [
    index('svc_webhooks_account').on(table.account, table.ulid),
    check('svc_webhooks_status', sql`${table.status} in ('enabled', 'failing', 'disabled')`),
  ],
)

/** An event for a receiver. */
export const deliveries = pgTable(
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
  (table) => [
    uniqueIndex('svc_deliveries_once').on(table.event, table.webhook),
    index('svc_deliveries_list').on(table.webhook, table.id),
    index('svc_deliveries_due').on(table.nextAt).where(sql`${table.state} = 'pending'`),
    index('svc_deliveries_queue').on(table.webhook, table.nextAt).where(sql`${table.state} = 'pending'`),
    index('svc_deliveries_leased').on(table.webhook, table.leaseUntil).where(sql`${table.leaseUntil} is not null`),
    index('svc_deliveries_ended').on(table.endedAt).where(sql`${table.endedAt} is not null`),
    check('svc_deliveries_state', sql`${table.state} in ('pending', 'delivered', 'dead')`),
  ],
)

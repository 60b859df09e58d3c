import { core, pgCore } from './drizzle.ts'

// The same tables as in schema-sqlite-life.ts; schema-postgres.ts says why they stand twice.
const { pgTable, text, integer, doublePrecision, timestamp, index, uniqueIndex, check, primaryKey } = pgCore()
const { sql } = core()

/** Milliseconds, as a JavaScript date has them. */
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** Transactions that are followed, one row for each account that broadcast or tracks it. JSON is text that this service wrote. */
export const transactions = pgTable(
  'svc_transactions',
  {
    /** ULID: sorts by the time at which it was first seen. */
    id: text('id').primaryKey(),
    account: text('account').notNull(),
    /** Short name of the plugin. */
    protocol: text('protocol').notNull(),
    /** The chain id of the config. */
    network: text('network').notNull(),
    txHash: text('tx_hash').notNull(),
    unsignedHash: text('unsigned_hash'),
    wallet: text('wallet'),
    origin: text('origin').notNull(),
    /** The audit record that it was saved with. */
    audit: text('audit').notNull(),
    identity: text('identity'),
    requestId: text('request_id').notNull(),
    sentence: text('sentence'),
    /** JSON: the moves that its bytes promise; null: not known. */
    promised: text('promised'),
    /** JSON: what its bytes say of its life; null: only its hash is known. */
    bounds: text('bounds'),
    /** JSON: what the family keeps between looks. */
    keep: text('keep'),
    /** JSON: the last look that counts. */
    look: text('look'),
    status: text('status').notNull(),
    finality: text('finality').notNull(),
    certainty: text('certainty').notNull(),
    /** JSON: its transitions, oldest first. */
    history: text('history').notNull(),
    /** Since when a node says that it is no longer in its block. */
    doubtedAt: time('doubted_at'),
    firstSeen: time('first_seen').notNull(),
    /** When an endpoint took it. */
    acceptedAt: time('accepted_at'),
    checkedAt: time('checked_at'),
    /** When it came to a state that does not change any more. */
    endedAt: time('ended_at'),
    /** When it is looked at next; null: no more. */
    nextAt: time('next_at'),
    /** Looks so far, and failed ones since the last that did not. */
    looks: integer('looks').notNull(),
    failures: integer('failures').notNull(),
    /** JSON: the signed bytes, as broadcast takes them, while they may be sent again by the service; null: they are not kept. */
    signed: text('signed'),
    /** Number of times that the service has sent the bytes again, and the time of the last one. */
    resends: integer('resends').notNull().default(0),
    resentAt: time('resent_at'),
    leaseUntil: time('lease_until'),
    /** Grows with each claim and change: who read a lower one writes nothing. */
    fence: integer('fence').notNull(),
  },
  (table) => [
    uniqueIndex('svc_transactions_once').on(table.account, table.protocol, table.network, table.txHash),
    index('svc_transactions_list').on(table.account, table.id),
    index('svc_transactions_hash').on(table.txHash),
    index('svc_transactions_unsigned').on(table.unsignedHash).where(sql`${table.unsignedHash} is not null`),
    index('svc_transactions_signer').on(sql`lower(${table.wallet})`, table.id).where(sql`${table.wallet} is not null`),
    index('svc_transactions_due').on(table.protocol, table.network, table.nextAt).where(sql`${table.nextAt} is not null`),
    index('svc_transactions_signed').on(table.firstSeen).where(sql`${table.signed} is not null`),
    index('svc_transactions_wallet').on(table.network, table.wallet),
    index('svc_transactions_open').on(table.account, table.origin).where(sql`${table.endedAt} is null`),
    index('svc_transactions_ended').on(table.endedAt).where(sql`${table.endedAt} is not null`),
    check('svc_transactions_status', sql`${table.status} in ('unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired')`),
  ],
)

/** Wallets whose positions are watched, by account. */
export const watches = pgTable(
  'svc_watches',
  {
    id: text('id').primaryKey(),
    account: text('account').notNull(),
    protocol: text('protocol').notNull(),
    network: text('network').notNull(),
    wallet: text('wallet').notNull(),
    origin: text('origin').notNull(),
    createdAt: time('created_at').notNull(),
    /** When the account asked to watch it no longer: a craft does not bring it back. */
    removedAt: time('removed_at'),
    /** JSON: the position as it was read last, and what was told of it. */
    position: text('position'),
    readAt: time('read_at'),
    /** When something is expected to have changed; null: nothing is. */
    dueAt: time('due_at'),
    /** When it is read even so, to find what came by other ways; null: nothing could be told of it. */
    sweepAt: time('sweep_at'),
    /** Hash of the position's digest as it was read last; null: none is known, or it was another one since. */
    digest: text('digest'),
    /** When the digest is compared; null where there is none to compare. */
    compareAt: time('compare_at'),
    failures: integer('failures').notNull(),
    leaseUntil: time('lease_until'),
    fence: integer('fence').notNull(),
  },
  (table) => [
    uniqueIndex('svc_watches_once').on(table.account, table.protocol, table.network, table.wallet),
    index('svc_watches_list').on(table.account, table.id),
    index('svc_watches_due').on(table.protocol, table.network, table.dueAt).where(sql`${table.dueAt} is not null`),
    index('svc_watches_compare').on(table.protocol, table.network, table.compareAt).where(sql`${table.compareAt} is not null`),
    index('svc_watches_sweep').on(table.protocol, table.network, table.sweepAt).where(sql`${table.sweepAt} is not null`),
  ],
)

/** The state of validators and pools as it was told last, by the place of the network's settings in the config. */
export const conditions = pgTable(
  'svc_conditions',
  {
    place: text('place').notNull(),
    kind: text('kind').notNull(),
    id: text('id').notNull(),
    state: text('state').notNull(),
    reason: text('reason'),
    commission: doublePrecision('commission'),
    /** When the chain told it. */
    takenAt: time('taken_at').notNull(),
    /** Since when it is in this state. */
    since: time('since').notNull(),
    changes: integer('changes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.place, table.kind, table.id] })],
)

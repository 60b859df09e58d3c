import { core, pgCore } from './drizzle.ts'
import type { Json } from './json.ts'
import type { Outcome } from './request-counts.ts'
import type { CredentialKind } from './store.ts'

// The same tables as in schema-sqlite.ts, written out again on purpose: drizzle has no type that a column of two databases shares, and a
// description of our own from which both were made would have to be cast. One suite (test/db/store-contract.ts) runs against both.
const { pgTable, text, bigint, boolean, integer, doublePrecision, timestamp, jsonb, index, check, primaryKey } = pgCore()
const { sql } = core()

/** Milliseconds, as a JavaScript date has them: what is read back equals what was written. */
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

/** API keys and tokens. */
export const credentials = pgTable(
  'svc_credentials',
  {
    ulid: text('ulid').primaryKey(),
    kind: text('kind').$type<CredentialKind>().notNull(),
    account: text('account').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    hash: text('hash').notNull(),
    prefix: text('prefix').notNull(),
    active: boolean('active').notNull(),
    expirationDate: time('expiration_date'),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
    pepper: text('pepper'),
  },
  (table) => [
    index('svc_credentials_account').on(table.account, table.kind, table.ulid),
    index('svc_credentials_state').on(table.kind, table.account, table.active, table.expirationDate),
    check('svc_credentials_kind', sql`${table.kind} in ('key', 'token', 'operator')`),
  ],
)

/** One row per request with a credential, or change by the command line. */
export const audit = pgTable(
  'svc_audit',
  {
    id: text('id').primaryKey(),
    rev: integer('rev').notNull().default(0),
    time: time('time').notNull(),
    account: text('account').notNull(),
    key: text('key').notNull(),
    address: text('address'),
    identity: text('identity'),
    method: text('method').notNull(),
    route: text('route').notNull(),
    network: text('network'),
    status: integer('status').notNull(),
    count: integer('count').notNull().default(1),
    durationMs: doublePrecision('duration_ms').notNull(),
    requestId: text('request_id').notNull(),
    action: text('action'),
    effects: jsonb('effects').$type<Json>(),
    target: text('target'),
    changes: jsonb('changes').$type<Json>(),
    unsignedHash: text('unsigned_hash'),
    txHash: text('tx_hash'),
    error: text('error'),
    protocol: text('protocol'),
    wallet: text('wallet'),
    sentence: text('sentence'),
    moves: jsonb('moves').$type<Json>(),
    actor: text('actor').$type<'operator'>(),
    asked: jsonb('asked').$type<Json>(),
    reason: text('reason'),
    path: text('path'),
  },
  (table) => [
    // These two hold what is filtered by besides: a search for something rare reads the index alone.
    index('svc_audit_time').on(table.time, table.id, table.account, table.protocol, table.network, table.action, table.status, table.error),
    index('svc_audit_account').on(
      table.account,
      table.time,
      table.id,
      table.protocol,
      table.network,
      table.action,
      table.status,
      table.error,
    ),
    index('svc_audit_key').on(table.key, table.time, table.id),
    index('svc_audit_identity').on(table.identity, table.time, table.id).where(sql`${table.identity} is not null`),
    index('svc_audit_wallet').on(sql`lower(${table.wallet})`, table.time, table.id).where(sql`${table.wallet} is not null`),
    index('svc_audit_error').on(table.error, table.time, table.id).where(sql`${table.error} is not null`),
    index('svc_audit_target').on(table.target).where(sql`${table.target} is not null`),
    index('svc_audit_unsigned').on(table.unsignedHash, table.time, table.id).where(sql`${table.unsignedHash} is not null`),
    index('svc_audit_tx').on(table.txHash).where(sql`${table.txHash} is not null`),
  ],
)

/** Small values that plugins keep, as text, by place (plugin, chain, settings) and key. */
export const records = pgTable(
  'svc_records',
  {
    place: text('place').notNull(),
    key: text('key').notNull(),
    value: text('value').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.place, table.key] })],
)

/**
 * Requests by bucket of time, which begins at `since`, in seconds since 1970, and lasts `span` seconds. Triggers write them, in the transaction that
 * writes the record: what a record was counted as before a later revision is taken back. `''`: none.
 */
export const counts = pgTable(
  'svc_audit_counts',
  {
    span: integer('span').notNull(),
    since: bigint('since', { mode: 'number' }).notNull(),
    account: text('account').notNull(),
    protocol: text('protocol').notNull(),
    action: text('action').notNull(),
    outcome: text('outcome').$type<Outcome>().notNull(),
    error: text('error').notNull(),
    /** Replicas that write at once seldom wait for each other's row: one of a few, by connection. */
    shard: integer('shard').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({
      name: 'svc_audit_counts_pk',
      columns: [table.span, table.since, table.account, table.protocol, table.action, table.outcome, table.error, table.shard],
    }),
  ],
)

/** Answers to protocols' requests by the same buckets of time, and by duration. */
export const latencies = pgTable(
  'svc_audit_latencies',
  {
    span: integer('span').notNull(),
    since: bigint('since', { mode: 'number' }).notNull(),
    account: text('account').notNull(),
    bucket: integer('bucket').notNull(),
    shard: integer('shard').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ name: 'svc_audit_latencies_pk', columns: [table.span, table.since, table.account, table.bucket, table.shard] })],
)

import { core, sqliteCore } from './drizzle.ts'
import type { Json } from './json.ts'
import type { Outcome } from './request-counts.ts'
import type { CredentialKind } from './store.ts'

// The same tables as in schema-postgres.ts, which says why they stand twice.
const { sqliteTable, text, integer, real, index, check, primaryKey } = sqliteCore()
const { sql } = core()

/** API keys and tokens. Times are milliseconds since 1970. */
export const credentials = sqliteTable(
  'svc_credentials',
  {
    ulid: text('ulid').primaryKey(),
    kind: text('kind').$type<CredentialKind>().notNull(),
    account: text('account').notNull(),
    name: text('name').notNull(),
    description: text('description'),
    hash: text('hash').notNull(),
    prefix: text('prefix').notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    expirationDate: integer('expiration_date', { mode: 'timestamp_ms' }),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }),
    pepper: text('pepper'),
  },
  (table) => [
    index('svc_credentials_account').on(table.account, table.kind, table.ulid),
    index('svc_credentials_state').on(table.kind, table.account, table.active, table.expirationDate),
    check('svc_credentials_kind', sql`${table.kind} in ('key', 'token', 'operator')`),
  ],
)

/** One row per request with a credential, or change by the command line. Times are milliseconds since 1970. */
export const audit = sqliteTable(
  'svc_audit',
  {
    id: text('id').primaryKey(),
    rev: integer('rev').notNull().default(0),
    time: integer('time', { mode: 'timestamp_ms' }).notNull(),
    account: text('account').notNull(),
    key: text('key').notNull(),
    address: text('address'),
    identity: text('identity'),
    method: text('method').notNull(),
    route: text('route').notNull(),
    network: text('network'),
    status: integer('status').notNull(),
    count: integer('count').notNull().default(1),
    durationMs: real('duration_ms').notNull(),
    requestId: text('request_id').notNull(),
    action: text('action'),
    effects: text('effects', { mode: 'json' }).$type<Json>(),
    target: text('target'),
    changes: text('changes', { mode: 'json' }).$type<Json>(),
    unsignedHash: text('unsigned_hash'),
    txHash: text('tx_hash'),
    error: text('error'),
    protocol: text('protocol'),
    wallet: text('wallet'),
    sentence: text('sentence'),
    moves: text('moves', { mode: 'json' }).$type<Json>(),
    actor: text('actor').$type<'operator'>(),
    asked: text('asked', { mode: 'json' }).$type<Json>(),
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
export const records = sqliteTable(
  'svc_records',
  {
    place: text('place').notNull(),
    key: text('key').notNull(),
    value: text('value').notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.place, table.key] })],
)

/**
 * Requests by bucket of time, which begins at `since`, in seconds since 1970, and lasts `span` seconds. Triggers write them, in the transaction that
 * writes the record: what a record was counted as before a later revision is taken back. `''`: none.
 */
export const counts = sqliteTable(
  'svc_audit_counts',
  {
    span: integer('span').notNull(),
    since: integer('since').notNull(),
    account: text('account').notNull(),
    protocol: text('protocol').notNull(),
    action: text('action').notNull(),
    outcome: text('outcome').$type<Outcome>().notNull(),
    error: text('error').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({
      name: 'svc_audit_counts_pk',
      columns: [table.span, table.since, table.account, table.protocol, table.action, table.outcome, table.error],
    }),
  ],
)

/** Answers to protocols' requests by the same buckets of time, and by duration. */
export const latencies = sqliteTable(
  'svc_audit_latencies',
  {
    span: integer('span').notNull(),
    since: integer('since').notNull(),
    account: text('account').notNull(),
    bucket: integer('bucket').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [primaryKey({ name: 'svc_audit_latencies_pk', columns: [table.span, table.since, table.account, table.bucket] })],
)

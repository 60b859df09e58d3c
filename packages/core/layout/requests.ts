import { sql } from 'drizzle-orm'
import type { Dialect } from './dialect.ts'

/** Declares the tables of credentials, of the audit log, and of what plugins keep. */
export function requestTables({ table, text, boolean, integer, double, time, json, index, check, primaryKey }: Dialect) {
  /** API keys and tokens. */
  const credentials = table(
    'svc_credentials',
    {
      ulid: text('ulid').primaryKey(),
      kind: text('kind').notNull(),
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
    (row) => [
      index('svc_credentials_account').on(row.account, row.kind, row.ulid),
      index('svc_credentials_state').on(row.kind, row.account, row.active, row.expirationDate),
      check('svc_credentials_kind', sql`${row.kind} in ('key', 'token', 'operator')`),
    ],
  )

  /** One row per request with a credential, or change by the command line. */
  const audit = table(
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
      durationMs: double('duration_ms').notNull(),
      requestId: text('request_id').notNull(),
      action: text('action'),
      effects: json('effects'),
      target: text('target'),
      changes: json('changes'),
      unsignedHash: text('unsigned_hash'),
      txHash: text('tx_hash'),
      error: text('error'),
      protocol: text('protocol'),
      wallet: text('wallet'),
      sentence: text('sentence'),
      moves: json('moves'),
      actor: text('actor'),
      asked: json('asked'),
      reason: text('reason'),
      path: text('path'),
    },
    (row) => [
      // These two hold what is filtered by besides: a search for something rare reads the index alone.
      index('svc_audit_time').on(row.time, row.id, row.account, row.protocol, row.network, row.action, row.status, row.error),
      index('svc_audit_account').on(row.account, row.time, row.id, row.protocol, row.network, row.action, row.status, row.error),
      index('svc_audit_key').on(row.key, row.time, row.id),
      index('svc_audit_identity').on(row.identity, row.time, row.id).where(sql`${row.identity} is not null`),
      index('svc_audit_wallet').on(sql`lower(${row.wallet})`, row.time, row.id).where(sql`${row.wallet} is not null`),
      index('svc_audit_error').on(row.error, row.time, row.id).where(sql`${row.error} is not null`),
      index('svc_audit_target').on(row.target).where(sql`${row.target} is not null`),
      index('svc_audit_unsigned').on(row.unsignedHash, row.time, row.id).where(sql`${row.unsignedHash} is not null`),
      index('svc_audit_tx').on(row.txHash).where(sql`${row.txHash} is not null`),
    ],
  )

  /** Small values that plugins keep, as text, by place (plugin, chain, settings) and key. */
  const records = table(
    'svc_records',
    {
      place: text('place').notNull(),
      key: text('key').notNull(),
      value: text('value').notNull(),
      updatedAt: time('updated_at').notNull(),
    },
    (row) => [primaryKey({ columns: [row.place, row.key] })],
  )

  return { credentials, audit, records }
}

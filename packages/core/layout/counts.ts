import type { Dialect } from './dialect.ts'

/** Declares the tables of what requests came to, by buckets of time. */
export function countTables({ table, text, integer, count, primaryKey, isSharded }: Dialect) {
  /** Replicas that write at once seldom wait for each other's row: one of a few, by connection. */
  const shard = isSharded ? { shard: integer('shard').notNull() } : {}
  const shardOf = (row: object) => ('shard' in row ? [row.shard as never] : [])
  /**
   * Requests by bucket of time, which begins at `since`, in seconds since 1970, and lasts `span` seconds. Triggers write them, in the transaction that
   * writes the record: what a record was counted as before a later revision is taken back. `''`: none.
   */
  const counts = table(
    'svc_audit_counts',
    {
      span: integer('span').notNull(),
      since: count('since').notNull(),
      account: text('account').notNull(),
      protocol: text('protocol').notNull(),
      action: text('action').notNull(),
      outcome: text('outcome').notNull(),
      error: text('error').notNull(),
      ...shard,
      count: count('count').notNull(),
    },
    (row) => [
      primaryKey({
        name: 'svc_audit_counts_pk',
        columns: [row.span, row.since, row.account, row.protocol, row.action, row.outcome, row.error, ...shardOf(row)],
      }),
    ],
  )

  /** Answers to protocols' requests by the same buckets of time, and by duration. */
  const latencies = table(
    'svc_audit_latencies',
    {
      span: integer('span').notNull(),
      since: count('since').notNull(),
      account: text('account').notNull(),
      bucket: integer('bucket').notNull(),
      ...shard,
      count: count('count').notNull(),
    },
    (row) => [primaryKey({ name: 'svc_audit_latencies_pk', columns: [row.span, row.since, row.account, row.bucket, ...shardOf(row)] })],
  )

  return { counts, latencies }
}

import { sql } from 'drizzle-orm'
import type { Dialect } from './dialect.ts'

/** Declares the tables of transactions, wallets and conditions that are followed. */
export function lifeTables({ table, text, integer, double, time, index, uniqueIndex, check, primaryKey }: Dialect) {
  /** Transactions that are followed, one row for each account that broadcast or tracks it. JSON is text that this service wrote. */
  const transactions = table(
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
    (row) => [
      uniqueIndex('svc_transactions_once').on(row.account, row.protocol, row.network, row.txHash),
      index('svc_transactions_list').on(row.account, row.id),
      index('svc_transactions_hash').on(row.txHash),
      index('svc_transactions_unsigned').on(row.unsignedHash).where(sql`${row.unsignedHash} is not null`),
      index('svc_transactions_signer').on(sql`lower(${row.wallet})`, row.id).where(sql`${row.wallet} is not null`),
      index('svc_transactions_due').on(row.protocol, row.network, row.nextAt).where(sql`${row.nextAt} is not null`),
      index('svc_transactions_signed').on(row.firstSeen).where(sql`${row.signed} is not null`),
      index('svc_transactions_wallet').on(row.network, row.wallet),
      index('svc_transactions_open').on(row.account, row.origin).where(sql`${row.endedAt} is null`),
      index('svc_transactions_ended').on(row.endedAt).where(sql`${row.endedAt} is not null`),
      check('svc_transactions_status', sql`${row.status} in ('unknown', 'pending', 'included', 'final', 'failed', 'replaced', 'expired')`),
    ],
  )

  /** Wallets whose positions are watched, by account. */
  const watches = table(
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
    (row) => [
      uniqueIndex('svc_watches_once').on(row.account, row.protocol, row.network, row.wallet),
      index('svc_watches_list').on(row.account, row.id),
      index('svc_watches_due').on(row.protocol, row.network, row.dueAt).where(sql`${row.dueAt} is not null`),
      index('svc_watches_compare').on(row.protocol, row.network, row.compareAt).where(sql`${row.compareAt} is not null`),
      index('svc_watches_sweep').on(row.protocol, row.network, row.sweepAt).where(sql`${row.sweepAt} is not null`),
    ],
  )

  /** The state of validators and pools as it was told last, by the place of the network's settings in the config. */
  const conditions = table(
    'svc_conditions',
    {
      place: text('place').notNull(),
      kind: text('kind').notNull(),
      id: text('id').notNull(),
      state: text('state').notNull(),
      reason: text('reason'),
      commission: double('commission'),
      /** When the chain told it. */
      takenAt: time('taken_at').notNull(),
      /** Since when it is in this state. */
      since: time('since').notNull(),
      changes: integer('changes').notNull(),
      /** JSON: its terms as they were told last, each with the time of its last reading; null: none was read yet. */
      terms: text('terms'),
    },
    (row) => [primaryKey({ columns: [row.place, row.kind, row.id] })],
  )

  /** Changes of power over a wallet's position that its account has announced, one for each power. */
  const announcements = table(
    'svc_announcements',
    {
      id: text('id').primaryKey(),
      account: text('account').notNull(),
      protocol: text('protocol').notNull(),
      network: text('network').notNull(),
      wallet: text('wallet').notNull(),
      aspect: text('aspect').notNull(),
      holder: text('holder').notNull(),
      /** Until when a reading may show it. */
      until: time('until').notNull(),
      createdAt: time('created_at').notNull(),
      /** When a reading has shown it; null: none has. */
      usedAt: time('used_at'),
    },
    (row) => [
      uniqueIndex('svc_announcements_once').on(row.account, row.protocol, row.network, row.wallet, row.aspect),
      index('svc_announcements_list').on(row.account, row.id),
      index('svc_announcements_ended').on(row.until),
    ],
  )

  /** Addresses that an account says are its own, besides the wallets that it watches. */
  const ownAddresses = table(
    'svc_own_addresses',
    {
      account: text('account').notNull(),
      protocol: text('protocol').notNull(),
      network: text('network').notNull(),
      address: text('address').notNull(),
      createdAt: time('created_at').notNull(),
    },
    (row) => [primaryKey({ columns: [row.account, row.protocol, row.network, row.address] })],
  )

  return { transactions, watches, conditions, announcements, ownAddresses }
}

import { sql } from 'drizzle-orm'
import type { Dialect } from './dialect.ts'

/** Declares the tables of books. */
export function ledgerTables({ table, id, text, integer, height, small, time, bytes, index, uniqueIndex, primaryKey }: Dialect) {
  /** Books: one for each wallet, protocol and network that an account watches. */
  const books = table(
    'svc_books',
    {
      id: id('id'),
      account: text('account').notNull(),
      /** Short name of the plugin. */
      protocol: text('protocol').notNull(),
      /** The chain id of the config. */
      network: text('network').notNull(),
      wallet: text('wallet').notNull(),
      openedAt: time('opened_at').notNull(),
      /** JSON: keys of its buckets; lines name them by their place, so that the list only grows. */
      keys: text('keys').notNull(),
      /** Number of lines. */
      lines: integer('lines').notNull(),
      /** Number of the last line behind which everything is explained, while a later one is not; null: all are, or it was given up. */
      openFrom: integer('open_from'),
      /** Since when a later one is not. */
      openSince: time('open_since'),
      /** When it is read because its position was, or something of it is to be explained; null: for neither. */
      nextAt: time('next_at'),
      /** When it is read even so. */
      sweepAt: time('sweep_at'),
      /** Readings in a row that could not be made, or have left something unexplained. */
      failures: integer('failures').notNull(),
      leaseUntil: time('lease_until'),
      /** Grows with each claim and change: who read a lower one writes nothing. */
      fence: integer('fence').notNull(),
    },
    (row) => [
      uniqueIndex('svc_books_once').on(row.account, row.protocol, row.network, row.wallet),
      index('svc_books_due').on(row.protocol, row.network, row.nextAt).where(sql`${row.nextAt} is not null`),
      index('svc_books_sweep').on(row.protocol, row.network, row.sweepAt).where(sql`${row.sweepAt} is not null`),
    ],
  )

  /** Blocks at which positions were read, each once for all wallets. */
  const marks = table(
    'svc_marks',
    {
      id: id('id'),
      network: text('network').notNull(),
      /** null, and of no hash: the chain did not say at which height it answered. */
      height: height('height'),
      hash: text('hash'),
      /** By the chain. */
      at: time('at').notNull(),
      epoch: integer('epoch'),
    },
    (row) => [uniqueIndex('svc_marks_once').on(row.network, row.height, row.hash, row.at)],
  )

  /** Readings of a book: what was there at a mark, and what rewards came to since the line before. */
  const lines = table(
    'svc_lines',
    {
      book: integer('book').notNull(),
      n: integer('n').notNull(),
      mark: integer('mark').notNull(),
      at: time('at').notNull(),
      /** Amounts of its buckets, and its rewards by bucket, as `amounts.ts` packs them; null: none. */
      closing: bytes('closing').notNull(),
      rewards: bytes('rewards'),
      /** Number of the line whose closing is its opening; null: it is the first. */
      opening: integer('opening'),
      /** 1: complete; 2: superseded by a later line, whose corrections take its entries back. */
      flags: small('flags').notNull(),
      /** Why it is not complete, words with spaces between them; null where it is. */
      reasons: text('reasons'),
      /** 0: through the failover; else the number of the endpoint that told it. */
      source: small('source').notNull(),
      /** JSON: facts for the interval that begins here; null as soon as none does. */
      keep: text('keep'),
      bookedAt: time('booked_at').notNull(),
    },
    (row) => [primaryKey({ name: 'svc_lines_pk', columns: [row.book, row.n] }), index('svc_lines_mark').on(row.mark)],
  )

  /** Entries of a line, but for its rewards by bucket. */
  const entries = table(
    'svc_entries',
    {
      book: integer('book').notNull(),
      line: integer('line').notNull(),
      n: integer('n').notNull(),
      kind: text('kind').notNull(),
      asset: text('asset').notNull(),
      /** Base units, as decimal text; below 0 of a correction. */
      amount: text('amount').notNull(),
      from: text('from_place').notNull(),
      to: text('to_place').notNull(),
      height: height('height'),
      at: time('at'),
      tx: text('tx'),
      logIndex: integer('log_index'),
      reason: text('reason'),
      /** Of a correction: which entry it takes back, `line-n`, or `line-r` and the place of the bucket's key for a reward of the line. */
      corrects: text('corrects'),
      bookedAt: time('booked_at').notNull(),
    },
    (row) => [primaryKey({ name: 'svc_entries_pk', columns: [row.book, row.line, row.n] })],
  )

  /** Lines that nothing changes any more, with their marks and entries, many in a row: the first lines of a book up to the first one in `svc_lines`. */
  const pages = table(
    'svc_pages',
    {
      book: integer('book').notNull(),
      /** Numbers of its first and of its last line. */
      first: integer('first_line').notNull(),
      last: integer('last_line').notNull(),
      /** Earliest and latest time of its readings. */
      from: time('from_at').notNull(),
      until: time('until_at').notNull(),
      /** As `pages.ts` packs it. */
      body: bytes('body').notNull(),
    },
    (row) => [primaryKey({ name: 'svc_pages_pk', columns: [row.book, row.first] })],
  )

  return { books, marks, lines, entries, pages }
}

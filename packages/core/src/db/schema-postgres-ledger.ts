import { core, pgCore } from './drizzle.ts'

// The same tables as in schema-sqlite-ledger.ts; schema-postgres.ts says why they stand twice.
const { pgTable, text, integer, bigint, smallint, timestamp, customType, index, uniqueIndex, primaryKey } = pgCore()
const { sql } = core()

/** Milliseconds, as a JavaScript date has them. */
const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })
/** drizzle has no type of its own for bytes. */
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** Books: one for each wallet, protocol and network that an account watches. */
export const books = pgTable(
  'svc_books',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
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
  (table) => [
    uniqueIndex('svc_books_once').on(table.account, table.protocol, table.network, table.wallet),
    index('svc_books_due').on(table.protocol, table.network, table.nextAt).where(sql`${table.nextAt} is not null`),
    index('svc_books_sweep').on(table.protocol, table.network, table.sweepAt).where(sql`${table.sweepAt} is not null`),
  ],
)

/** Blocks at which positions were read, each once for all wallets. */
export const marks = pgTable(
  'svc_marks',
  {
    id: integer('id').primaryKey().generatedAlwaysAsIdentity(),
    network: text('network').notNull(),
    /** null, and of no hash: the chain did not say at which height it answered. */
    height: bigint('height', { mode: 'bigint' }),
    hash: text('hash'),
    /** By the chain. */
    at: time('at').notNull(),
    epoch: integer('epoch'),
  },
  (table) => [uniqueIndex('svc_marks_once').on(table.network, table.height, table.hash, table.at)],
)

/** Readings of a book: what was there at a mark, and what rewards came to since the line before. */
export const lines = pgTable(
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
    flags: smallint('flags').notNull(),
    /** Why it is not complete, words with spaces between them; null where it is. */
    reasons: text('reasons'),
    /** 0: through the failover; else the number of the endpoint that told it. */
    source: smallint('source').notNull(),
    /** JSON: facts for the interval that begins here; null as soon as none does. */
    keep: text('keep'),
    bookedAt: time('booked_at').notNull(),
  },
  (table) => [primaryKey({ name: 'svc_lines_pk', columns: [table.book, table.n] })],
)

/** Entries of a line, but for its rewards by bucket. */
export const entries = pgTable(
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
    height: bigint('height', { mode: 'bigint' }),
    at: time('at'),
    tx: text('tx'),
    logIndex: integer('log_index'),
    reason: text('reason'),
    /** Of a correction: which entry it takes back, `line-n`, or `line-r` and the place of the bucket's key for a reward of the line. */
    corrects: text('corrects'),
    bookedAt: time('booked_at').notNull(),
  },
  (table) => [primaryKey({ name: 'svc_entries_pk', columns: [table.book, table.line, table.n] })],
)

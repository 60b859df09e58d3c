import type { SQL } from 'drizzle-orm'
import { core } from '../db/drizzle.ts'
import { storableText } from '../db/json.ts'
import { nextUlid } from '../db/ulid.ts'
import { ask, type Row, timeOf, timeOrNull, type Work, type WorkDatabase } from '../db/work.ts'
import { type Claim, claimInTurns } from './claim.ts'
import type { StreamPlace } from './transactions.ts'

const { sql } = core()

/** Key of a wallet that an account watches. */
export interface WatchKey extends StreamPlace {
  readonly account: string
  /** Canonical. */
  readonly wallet: string
}

/** Origin of a watch: a craft, a transaction that is followed, or a request. */
export type WatchOrigin = 'craft' | 'transaction' | 'request'

/** A wallet whose position is watched. */
export interface Watch extends WatchKey {
  readonly id: string
  readonly origin: WatchOrigin
  readonly createdAt: Date
  readonly readAt: Date | null
  readonly dueAt: Date | null
  readonly sweepAt: Date | null
  /** Hash of the digest of what was read last; null: none is known, or it was another one since. */
  readonly digest: string | null
  /** JSON of the `KeptPosition`; null: none is kept, so that the next reading has nothing to be compared with. */
  readonly position: string | null
  readonly failures: number
  readonly fence: number
}

/** Options for adding a watch. */
interface WatchOptions {
  readonly at: Date
  /** Time until the first reading, in milliseconds. */
  readonly afterMs: number
  /** Most watches that the account may have; beyond this number none is added. */
  readonly most: number
}

/** Reads a row of `svc_watches`. */
export function watchOf(row: Row): Watch {
  return {
    id: String(row.id),
    account: String(row.account),
    protocol: String(row.protocol),
    network: String(row.network),
    wallet: String(row.wallet),
    origin: row.origin as WatchOrigin,
    createdAt: timeOf(row.created_at),
    readAt: timeOrNull(row.read_at),
    dueAt: timeOrNull(row.due_at),
    sweepAt: timeOrNull(row.sweep_at),
    digest: row.digest === null ? null : String(row.digest),
    position: row.position === null ? null : String(row.position),
    failures: Number(row.failures),
    fence: Number(row.fence),
  }
}

/**
 * Watches a wallet from its first craft on. One that was given up stays so.
 *
 * @returns false: there is no row of it, since the account watches as many as it may
 */
export function* watchCrafted(database: WorkDatabase, key: WatchKey, options: WatchOptions): Work<boolean> {
  if (yield* insert(database, key, 'craft', options)) return true
  return (yield* ask(sql`select id from svc_watches where ${ofWallet(key)}`)).length > 0
}

/** Makes a position that may have changed due for a reading. A watch that was given up stays so; a wallet that is not watched yet is watched from now on. */
export function* readSoon(database: WorkDatabase, key: WatchKey, options: WatchOptions): Work<void> {
  const due = dueOf(database, options)
  const rows = yield* ask(sql`
    update svc_watches set due_at = case when due_at < ${due} then due_at else ${due} end, failures = 0, lease_until = null, fence = fence + 1
    where ${ofWallet(key)} and removed_at is null returning id`)
  if (rows.length === 0) yield* insert(database, key, 'transaction', options)
}

/** Watches a wallet for an account that asked for it. @returns null: the account watches as many as it may */
export function* watchRequested(database: WorkDatabase, key: WatchKey, options: WatchOptions): Work<Watch | null> {
  const watch = yield* find(database, key)
  if (watch) return watch
  const due = dueOf(database, options)
  const back = yield* ask(sql`
    update svc_watches set removed_at = null, origin = 'request', due_at = ${due}, position = null, read_at = null, failures = 0,
      digest = null, compare_at = null, lease_until = null, fence = fence + 1
    where ${ofWallet(key)} and ${hasRoom(key.account, options.most)} returning id`)
  if (back.length === 0) yield* insert(database, key, 'request', options)
  return yield* find(database, key)
}

/** Ends the watch of a wallet. @returns false: it was not watched */
export function* unwatch(database: WorkDatabase, key: WatchKey): Work<boolean> {
  const rows = yield* ask(sql`
    update svc_watches set removed_at = ${database.now}, due_at = null, sweep_at = null, compare_at = null, digest = null, position = null,
      fence = fence + 1
    where ${ofWallet(key)} and removed_at is null returning id`)
  // Its book stays as it is, and is read no more.
  yield* ask(
    sql`update svc_books set next_at = null, sweep_at = null, lease_until = null, fence = fence + 1 where ${ofWallet(key)} returning id`,
  )
  return rows.length > 0
}

/**
 * Reason for reading a position whole. `first`: it was never read; `due`: a change is expected; `sweep`: the regular reading of a position without a known digest,
 * or with a changed one; `reread`: the regular reading of a position whose digest is the same.
 */
export type Reason = 'first' | 'due' | 'sweep' | 'reread'

/** Column of the time at which a position is to be read, for each reason. */
const TIME = {
  first: sql`due_at`,
  due: sql`due_at`,
  sweep: sql`sweep_at`,
  reread: sql`sweep_at`,
} as const satisfies Record<Reason, SQL>
/** Further condition of each reason. */
const ONLY = {
  first: sql`and read_at is null`,
  due: sql``,
  sweep: sql`and digest is null`,
  reread: sql`and digest is not null`,
} as const satisfies Record<Reason, SQL>

/** Takes watches that are to be read, in turns of the accounts. */
export function* claimWatches(
  database: WorkDatabase,
  { protocol, network }: StreamPlace,
  { reason, ...claim }: Claim & { readonly reason: Reason },
): Work<readonly Watch[]> {
  const at = TIME[reason]
  const rows = yield* claimInTurns(
    database,
    {
      table: 'svc_watches',
      due: sql`protocol = ${protocol} and network = ${network} and ${at} <= ${database.now} ${ONLY[reason]}`,
      order: at,
      standsBack: sql`0`,
    },
    claim,
  )
  return rows.map(watchOf)
}

/** Changes that a reading makes to a watch. */
interface Reading {
  readonly position: string
  /** Time until a change is expected, in milliseconds; null: none is. */
  readonly dueMs: number | null
  /** Time until the position is read although no change is expected, in milliseconds; null: never. */
  readonly sweepMs: number | null
  /** Hash of the position's digest; null: none is known. */
  readonly digest: string | null
  /** Time until the digest is compared, in milliseconds; null: never. */
  readonly compareMs: number | null
}

/** Saves the position that was read of a watched wallet. @returns false: somebody else has changed it since it was read, and nothing is written */
export function* savePosition(database: WorkDatabase, { id, fence }: Watch, reading: Reading): Work<boolean> {
  const { position, dueMs, sweepMs, digest, compareMs } = reading
  const after = (ms: number | null) => (ms === null ? null : database.later(ms))
  const saved = yield* ask(sql`
    update svc_watches set position = ${position}, read_at = ${database.now}, due_at = ${after(dueMs)}, sweep_at = ${after(sweepMs)},
      digest = ${digest}, compare_at = ${after(compareMs)}, failures = 0, lease_until = null, fence = fence + 1
    where id = ${id} and fence = ${fence} and removed_at is null returning id`)
  return saved.length > 0
}

/**
 * Keeps a first reading that was overtaken, as what the next one is compared with: without it the next would be the first, and tell nothing. Whoever reads it
 * just now has nothing to compare with, and writes nothing. When it is read again stays as it is.
 *
 * @returns false: it is known how it was, or it is not watched any more
 */
export function* saveBase(_database: WorkDatabase, { id }: Watch, position: string): Work<boolean> {
  const saved = yield* ask(sql`
    update svc_watches set position = ${position}, lease_until = null, fence = fence + 1
    where id = ${id} and position is null and removed_at is null returning id`)
  return saved.length > 0
}

/** Puts off the reading of a position that could not be made, and counts the failure. @param ms milliseconds until the next one */
export function* postponeWatch(database: WorkDatabase, { id, fence }: Watch, ms: number): Work<void> {
  const { now } = database
  const later = database.later(ms)
  yield* ask(sql`
    update svc_watches set due_at = case when due_at <= ${now} then ${later} else due_at end,
      sweep_at = case when sweep_at <= ${now} then ${later} else sweep_at end, failures = failures + 1, lease_until = null, fence = fence + 1
    where id = ${id} and fence = ${fence}`)
}

/** Lists the accounts that watch a wallet on a network. */
export function* watchers(_database: WorkDatabase, { protocol, network }: StreamPlace): Work<readonly string[]> {
  const rows = yield* ask<{ account: string }>(sql`
    select distinct account from svc_watches where protocol = ${protocol} and network = ${network} and removed_at is null`)
  return rows.map(({ account }) => account)
}

/** Lists the watched wallets of an account, a page at a time. @param after id of the last one of the page before */
export function* listWatches(
  _database: WorkDatabase,
  account: string,
  { limit, after, protocol }: { readonly limit: number; readonly after?: string | undefined; readonly protocol?: string | undefined },
): Work<readonly Watch[]> {
  const rows = yield* ask(sql`
    select * from svc_watches where account = ${account} and removed_at is null
      ${after === undefined ? sql`` : sql`and id > ${after}`} ${protocol === undefined ? sql`` : sql`and protocol = ${protocol}`}
    order by id limit ${limit}`)
  return rows.map(watchOf)
}

/** Most addresses that one statement looks up among the watched wallets. The powers over a position have only a few holders. */
const MOST_LOOKED_UP = 100

/** Tells whether a position without a digest is read within so many milliseconds although nothing is expected of it. */
export function* isSwept(database: WorkDatabase, key: WatchKey, withinMs: number): Work<boolean> {
  const rows = yield* ask(sql`
    select 1 from svc_watches where ${ofWallet(key)} and removed_at is null and digest is null and sweep_at <= ${database.later(withinMs)}`)
  return rows.length > 0
}

/** Tells which of some addresses, canonical, an account watches for the same protocol on the same network. Of more than a hundred the first hundred are looked up. */
export function* watchedAmong(
  _database: WorkDatabase,
  { account, protocol, network }: WatchKey,
  addresses: readonly string[],
): Work<ReadonlySet<string>> {
  if (addresses.length === 0) return new Set()
  const list = addresses.slice(0, MOST_LOOKED_UP).map((address) => sql`${storableText(address)}`)
  const rows = yield* ask<{ wallet: string }>(sql`
    select wallet from svc_watches where account = ${account} and protocol = ${protocol} and network = ${network} and removed_at is null
      and wallet in (${sql.join(list, sql`, `)})`)
  return new Set(rows.map(({ wallet }) => wallet))
}

function* find(_database: WorkDatabase, key: WatchKey): Work<Watch | null> {
  const [row] = yield* ask(sql`select * from svc_watches where ${ofWallet(key)} and removed_at is null`)
  return row ? watchOf(row) : null
}

function* insert(database: WorkDatabase, key: WatchKey, origin: WatchOrigin, options: WatchOptions): Work<boolean> {
  const { account, protocol, network, wallet } = key
  const { at, most } = options
  const insertion = yield* ask(sql`
    insert into svc_watches (id, account, protocol, network, wallet, origin, created_at, due_at, failures, fence)
    select ${nextUlid(at.getTime())}, ${account}, ${protocol}, ${network}, ${storableText(wallet)}, ${origin}, ${database.at(at)},
      ${dueOf(database, options)}, 0, 0
    where ${hasRoom(account, most)}
    on conflict (account, protocol, network, wallet) do nothing returning id`)
  return insertion.length > 0
}

function hasRoom(account: string, most: number) {
  return sql`(select count(*) from svc_watches where account = ${account} and removed_at is null) < ${most}`
}

function dueOf(database: WorkDatabase, { at, afterMs }: WatchOptions) {
  return database.at(new Date(at.getTime() + afterMs))
}

/** Writes the condition for the rows of one wallet of an account, in `svc_watches` and in the tables of its book and announcements. */
export function ofWallet({ account, protocol, network, wallet }: WatchKey): SQL {
  return sql`account = ${account} and protocol = ${protocol} and network = ${network} and wallet = ${storableText(wallet)}`
}

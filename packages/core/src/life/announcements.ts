import { core } from '../db/drizzle.ts'
import { storableText } from '../db/json.ts'
import { nextUlid } from '../db/ulid.ts'
import { ask, type Row, timeOf, timeOrNull, type Work, type WorkDatabase } from '../db/work.ts'
import type { AnnouncedPower } from './kept-position.ts'
import { ofWallet, type WatchKey } from './watches.ts'

const { sql } = core()

/** Most announcements of an account: two powers of each of the ten thousand wallets that it may watch. A choice of this project. */
export const ANNOUNCED_MOST = 20_000
/** Time for which an announcement is listed after its end, in milliseconds: 90 days. The audit log has it for as long as any record. */
const LISTED_MS = 90 * 86_400_000
/** Rows that are deleted at once. */
const BATCH = 500

/** Change of a power over a wallet's position that its account has announced, so that it is no alarm. */
export interface Announcement extends WatchKey {
  readonly id: string
  /** Name of the power, as `control` of a balance has it. */
  readonly aspect: string
  /** Canonical. */
  readonly holder: string
  readonly until: Date
  readonly createdAt: Date
  /** Time at which a reading has shown the change; null: none has. It is used once. */
  readonly usedAt: Date | null
}

/** Names a power over a wallet's position. */
export type AnnouncementKey = WatchKey & Pick<Announcement, 'aspect'>

/**
 * Announces the next holder of a power, in place of the announcement before it, used or not.
 *
 * @param change with the time until which a reading may show it
 * @returns null: the account has as many announcements as it may have
 */
export function* announce(
  database: WorkDatabase,
  change: AnnouncementKey & Pick<Announcement, 'holder' | 'until'>,
  at: Date,
): Work<Announcement | null> {
  const { account, protocol, network, wallet, aspect } = change
  const [holder, until] = [storableText(change.holder), database.at(change.until)]
  const hasRoom = sql`(select count(*) from svc_announcements where account = ${account}) < ${ANNOUNCED_MOST}`
  const isThere = sql`exists (select id from svc_announcements where ${isThe(change)})`
  const rows = yield* ask(sql`
    insert into svc_announcements (id, account, protocol, network, wallet, aspect, holder, until, created_at)
    select ${nextUlid(at.getTime())}, ${account}, ${protocol}, ${network}, ${storableText(wallet)}, ${storableText(aspect)}, ${holder}, ${until}, ${database.now}
    where ${hasRoom} or ${isThere}
    on conflict (account, protocol, network, wallet, aspect)
    do update set holder = ${holder}, until = ${until}, created_at = ${database.now}, used_at = null returning *`)
  return rows[0] ? announcementOf(rows[0]) : null
}

/** Takes an announcement back. @returns false: there is none */
export function* takeBack(_database: WorkDatabase, key: AnnouncementKey): Work<boolean> {
  return (yield* ask(sql`delete from svc_announcements where ${isThe(key)} returning id`)).length > 0
}

/** Lists announcements, the oldest first, a page at a time. @param account null: of all accounts @param after id of the last one of the page before */
export function* listAnnouncements(
  _database: WorkDatabase,
  account: string | null,
  { limit, after = '' }: { readonly limit: number; readonly after?: string | undefined },
): Work<readonly Announcement[]> {
  const rows = yield* ask(sql`
    select * from svc_announcements where ${account === null ? sql`true` : sql`account = ${account}`} and id > ${after} order by id limit ${limit}`)
  return rows.map(announcementOf)
}

/** Reads the announcements of a wallet that a reading may still show. @param at time of the reading */
export function* openAnnouncements(database: WorkDatabase, key: WatchKey, at: Date): Work<readonly AnnouncedPower[]> {
  const rows = yield* ask(sql`
    select * from svc_announcements where ${ofWallet(key)} and used_at is null and until >= ${database.at(at)} order by id`)
  return rows.map(announcementOf)
}

/**
 * Uses announcements up, in the transaction that writes the events which they explain. An own address is not used up.
 *
 * @returns false: one of them was taken back or changed since it was read, so that the reading has to be judged anew
 */
export function* useUp(database: WorkDatabase, key: WatchKey, powers: readonly AnnouncedPower[]): Work<boolean> {
  for (const { aspect, holder } of powers) {
    if (aspect === null) continue
    const rows = yield* ask(sql`
      update svc_announcements set used_at = ${database.now}
      where ${isThe({ ...key, aspect })} and holder = ${storableText(holder)} and used_at is null returning id`)
    if (rows.length === 0) return false
  }
  return true
}

/** Deletes a few of the announcements that ended long ago. */
export function* trimAnnouncements(database: WorkDatabase): Work<void> {
  yield* ask(sql`
    delete from svc_announcements where id in
      (select id from svc_announcements where until < ${database.later(-LISTED_MS)} limit ${BATCH})`)
}

function announcementOf(row: Row): Announcement {
  return {
    id: String(row.id),
    account: String(row.account),
    protocol: String(row.protocol),
    network: String(row.network),
    wallet: String(row.wallet),
    aspect: String(row.aspect),
    holder: String(row.holder),
    until: timeOf(row.until),
    createdAt: timeOf(row.created_at),
    usedAt: timeOrNull(row.used_at),
  }
}

function isThe({ aspect, ...key }: AnnouncementKey) {
  return sql`${ofWallet(key)} and aspect = ${storableText(aspect)}`
}

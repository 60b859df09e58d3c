import { core } from '../db/drizzle.ts'
import { nextUlid } from '../db/ulid.ts'
import type { WorkRunner } from '../db/work.ts'
import { ask, listed, timeOf, type Work, type WorkDatabase } from '../db/work.ts'
import type { AlsoChanged } from '../keys/manage.ts'
import type { Events, NewEvent } from './events.ts'

const { sql } = core()

const DAY_MS = 86_400_000
/** Numbers of days before the expiry of an API key at which an event tells of it. */
const WARNED_DAYS = [1, 7] as const

/** Writes `apikey.changed` in the transaction that changes an API key. */
export function keyChanged({ insert }: Pick<Events, 'insert'>, time: () => Date): AlsoChanged {
  return function* (database, { action, target, changes = {} }, account) {
    const [change, kind] = action.split('-')
    if (kind !== 'key') return
    const at = time()
    const data = { api_key: target, change: `${change}d`, changes }
    yield* insert(database, [
      { account, type: 'apikey.changed', subject: `apikey ${target}`, transition: nextUlid(at.getTime()), time: at, data },
    ])
  }
}

/** Writes `apikey.expiring` for the API keys that are about to, once for each day that is told of. @param now a clock instead of the database's */
export async function tellExpiring(store: WorkRunner, events: Events, time: () => Date, now?: (() => Date) | undefined): Promise<void> {
  const at = time()
  for (let after = ''; ; ) {
    const page = await store.run((database) => aboutToExpire(database, at, after), { now })
    const due = page.map((key) => expiring(key, at))
    const earlier = await store.run(() => told(due), { now })
    const fresh = due.filter((event) => !earlier.has(nameOf(event)))
    if (fresh.length > 0) await events.transact((database) => events.insert(database, fresh))
    after = page.at(-1)?.ulid ?? ''
    if (page.length < PAGE) return
  }
}

const nameOf = ({ subject, transition }: Pick<NewEvent, 'subject' | 'transition'>) => `${subject} ${transition}`

function* told(due: readonly NewEvent[]): Work<ReadonlySet<string>> {
  if (due.length === 0) return new Set()
  const accounts = [...new Set(due.map(({ account }) => account))]
  const rows = yield* ask<{ subject: string; transition: string }>(sql`
    select subject, transition from svc_events where type = 'apikey.expiring' and account in ${listed(accounts)}
      and subject in ${listed(due.map(({ subject }) => subject))}`)
  return new Set(rows.map(nameOf))
}

interface ExpiringKey {
  readonly ulid: string
  readonly account: string
  readonly name: string
  readonly expiration_date: unknown
}

/** Keys that one statement reads. */
const PAGE = 500

function aboutToExpire(database: WorkDatabase, at: Date, after: string): Work<readonly ExpiringKey[]> {
  const until = new Date(at.getTime() + Math.max(...WARNED_DAYS) * DAY_MS)
  const active = database.dialect === 'sqlite' ? sql`active = 1` : sql`active`
  return ask<ExpiringKey>(sql`
    select ulid, account, name, expiration_date from svc_credentials
    where kind = 'key' and ${active} and expiration_date > ${database.at(at)} and expiration_date <= ${database.at(until)}
      and ulid > ${after} order by ulid limit ${PAGE}`)
}

function expiring({ ulid, account, name, expiration_date: value }: ExpiringKey, at: Date): NewEvent {
  const expires = timeOf(value)
  const left = expires.getTime() - at.getTime()
  const days = WARNED_DAYS.find((days) => left <= days * DAY_MS) ?? Math.max(...WARNED_DAYS)
  return {
    account,
    type: 'apikey.expiring',
    subject: `apikey ${ulid}`,
    transition: `${expires.toISOString()} ${days} d`,
    time: at,
    data: { api_key: ulid, name, expires_at: expires.toISOString(), days },
  }
}

import { core } from '../db/drizzle.ts'
import { nextUlid } from '../db/ulid.ts'
import { ask, listed, type Work, type WorkDatabase } from '../db/work.ts'

const { sql } = core()

/** Rows of one statement. */
const CHUNK = 100

/** Events for one receiver. */
interface Wanted {
  readonly webhook: string
  readonly events: readonly string[]
}

/**
 * Queues events for receivers, in as many statements for fifty of them as for one: whoever writes other events of the account waits meanwhile. What the backlog of a receiver
 * has no room for is counted on it instead, and is in the list of events.
 *
 * @param wanted in the order of the receivers' names, so that two transactions never wait for each other's receivers crosswise
 * @param backlog most that may wait for one receiver
 */
export function* queue(database: WorkDatabase, wanted: readonly Wanted[], backlog: number): Work<void> {
  const some = wanted.filter(({ events }) => events.length > 0)
  if (some.length === 0) return
  const rows = yield* ask<{ ulid: string; waiting: number | string }>(sql`
    select w.ulid, (select count(*) from
      (select 1 from svc_deliveries d where d.webhook = w.ulid and d.state = 'pending' limit ${backlog}) few) as waiting
    from svc_webhooks w where w.ulid in ${listed(some.map(({ webhook }) => webhook))}`)
  const waiting = new Map(rows.map((row) => [row.ulid, Number(row.waiting)]))
  const shares = some.map(({ webhook, events }) => {
    const room = Math.max(0, backlog - (waiting.get(webhook) ?? 0))
    return { webhook, fit: events.slice(0, room), missed: Math.max(0, events.length - room) }
  })
  const fit = shares.flatMap(({ webhook, fit }) => fit.map((event) => ({ webhook, event })))
  for (let at = 0; at < fit.length; at += CHUNK) {
    const { now } = database
    const values = fit
      .slice(at, at + CHUNK)
      .map(({ webhook, event }) => sql`(${nextUlid(Date.now())}, ${event}, ${webhook}, 'pending', 0, ${now}, 0, ${now})`)
    yield* ask(sql`
      insert into svc_deliveries (id, event, webhook, state, attempts, next_at, fence, created_at)
      values ${sql.join(values, sql`, `)} on conflict do nothing returning id`)
  }
  for (const { webhook, missed } of shares)
    if (missed > 0)
      yield* ask(sql`
        update svc_webhooks set missed = missed + ${missed}, missed_since = coalesce(missed_since, ${database.now})
        where ulid = ${webhook} returning ulid`)
}

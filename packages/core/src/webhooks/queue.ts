import { core } from '../db/drizzle.ts'
import { nextUlid } from '../db/ulid.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'

const { sql } = core()

/** Rows of one statement. */
const CHUNK = 100

/**
 * Queues events for a receiver, whose row the transaction has. What its backlog has no room for is counted on it instead, and is in the list of events.
 *
 * @param backlog most that may wait
 */
export function* queue(database: WorkDatabase, webhook: string, events: readonly string[], backlog: number): Work<void> {
  if (events.length === 0) return
  const [waiting] = yield* ask<{ count: number | string }>(sql`
    select count(*) as count from
      (select 1 from svc_deliveries where webhook = ${webhook} and state = 'pending' limit ${backlog}) as waiting`)
  const room = Math.max(0, backlog - Number(waiting?.count))
  for (let at = 0; at < Math.min(room, events.length); at += CHUNK) {
    const rows = events.slice(at, Math.min(at + CHUNK, room)).map((event) => {
      const { now } = database
      return sql`(${nextUlid(Date.now())}, ${event}, ${webhook}, 'pending', 0, ${now}, 0, ${now})`
    })
    yield* ask(sql`
      insert into svc_deliveries (id, event, webhook, state, attempts, next_at, fence, created_at)
      values ${sql.join(rows, sql`, `)} on conflict do nothing returning id`)
  }
  const missed = events.length - room
  if (missed > 0)
    yield* ask(sql`
      update svc_webhooks set missed = missed + ${missed}, missed_since = coalesce(missed_since, ${database.now})
      where ulid = ${webhook} returning ulid`)
}

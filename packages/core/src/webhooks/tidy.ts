import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import { endUnfinished } from './complete.ts'

const { sql } = core()

const DAY_MS = 86_400_000
/** How long what was delivered is kept, and what was not, and the events themselves: 7 and 30 days. */
const DELIVERED_MS = 7 * DAY_MS
const DEAD_MS = 30 * DAY_MS
const EVENTS_MS = 30 * DAY_MS
/** Rows that one statement deletes. */
const BATCH = 1_000

/** Ends what nobody will end, and deletes a part of what is kept no longer. @returns whether there is more to delete */
export function* tidyWebhooks(database: WorkDatabase): Work<boolean> {
  yield* endUnfinished(database)
  let more = false
  for (const [state, keptMs] of [
    ['delivered', DELIVERED_MS],
    ['dead', DEAD_MS],
  ] as const) {
    const gone = yield* ask(sql`
      delete from svc_deliveries where id in (
        select id from svc_deliveries where ended_at < ${database.later(-keptMs)} and state = ${state} order by ended_at limit ${BATCH})
      returning id`)
    more ||= gone.length === BATCH
  }
  const gone = yield* ask(sql`
    delete from svc_events where id in (
      select id from svc_events where created_at < ${database.later(-EVENTS_MS)} order by created_at limit ${BATCH}) returning id`)
  return more || gone.length === BATCH
}

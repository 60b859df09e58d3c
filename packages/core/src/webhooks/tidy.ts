import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import { endUnfinished, endUnwanted } from './abandon.ts'

const { sql } = core()

const DAY_MS = 86_400_000
/** Times for which rows are kept: 7 days for deliveries that succeeded (`DELIVERED_MS`), 30 days for other deliveries and for events. */
const DELIVERED_MS = 7 * DAY_MS
const DEAD_MS = 30 * DAY_MS
const EVENTS_MS = 30 * DAY_MS
/** Rows that one statement deletes. */
const BATCH = 1_000

/** Farthest time ahead, in milliseconds, for which a delivery or the end of a receiver's pause may be planned: more than twice the longest pause of `schedule.ts`. */
const FARTHEST_MS = 3 * DAY_MS

/** Makes due what was planned while the clock was ahead: nobody would deliver it until that time has come. */
function* bringBack({ now, later }: WorkDatabase): Work<void> {
  yield* ask(sql`update svc_deliveries set next_at = ${now} where state = 'pending' and next_at > ${later(FARTHEST_MS)} returning id`)
  yield* ask(sql`update svc_webhooks set paused_until = null where paused_until > ${later(FARTHEST_MS)} returning ulid`)
}

/** Ends what nobody will end, makes due what was planned by a wrong clock, and deletes a part of what is kept no longer. @returns whether there is more to delete */
export function* tidyWebhooks(database: WorkDatabase): Work<boolean> {
  yield* endUnfinished(database)
  yield* endUnwanted(database)
  yield* bringBack(database)
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
  // What is critical stays until somebody has put its alarm away.
  const gone = yield* ask(sql`
    delete from svc_events where id in (
      select id from svc_events where created_at < ${database.later(-EVENTS_MS)}
        and (severity is null or severity <> 'critical' or dismissed_at is not null) order by created_at limit ${BATCH}) returning id`)
  return more || gone.length === BATCH
}

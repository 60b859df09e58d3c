import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import { MOST_ATTEMPTS } from './schedule.ts'

const { sql } = core()

/** Switches a receiver off, whose row the transaction has, and ends what waits for it: it can be sent again by request. */
export function* switchOff(database: WorkDatabase, ulid: string, reason: string): Work<void> {
  const { now } = database
  yield* ask(sql`
    update svc_webhooks set status = 'disabled', reason = ${reason}, paused_until = null, updated_at = ${now} where ulid = ${ulid} returning ulid`)
  yield* ask(sql`
    update svc_deliveries set state = 'dead', last_error = coalesce(last_error, 'WEBHOOK_DISABLED'), owner = null, lease_until = null,
      ended_at = ${now} where webhook = ${ulid} and state = 'pending' returning id`)
}

/** Ends deliveries whose last attempt nobody told the end of. */
export function* endUnfinished({ now }: WorkDatabase): Work<void> {
  yield* ask(sql`
    update svc_deliveries set state = 'dead', last_error = coalesce(last_error, 'UNFINISHED'), owner = null, lease_until = null, ended_at = ${now}
    where state = 'pending' and attempts >= ${MOST_ATTEMPTS} and next_at <= ${now} returning id`)
}

/** Ends what waits for receivers that are switched off, or there no more: an event may be written while that is done. */
export function* endUnwanted({ now }: WorkDatabase): Work<void> {
  yield* ask(sql`
    update svc_deliveries set state = 'dead', last_error = coalesce(last_error, 'WEBHOOK_DISABLED'), owner = null, lease_until = null, ended_at = ${now}
    where state = 'pending' and next_at <= ${now}
      and not exists (select 1 from svc_webhooks w where w.ulid = svc_deliveries.webhook and w.status <> 'disabled') returning id`)
}

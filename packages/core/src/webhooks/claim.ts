import { core } from '../db/drizzle.ts'
import { isFree } from '../db/leases.ts'
import { ask, listed, timeOf, type Work, type WorkDatabase } from '../db/work.ts'
import { endUnwanted } from './abandon.ts'
import { MOST_ATTEMPTS, pauseAfter } from './schedule.ts'
import { type Webhook, webhookOf } from './webhook-row.ts'

const { sql } = core()

/** A delivery that this process has until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string
  readonly webhook: Webhook
  readonly event: string
  /** Body that is sent; null: the event is no longer kept. */
  readonly body: string | null
  readonly owner: string
  readonly fence: number
  /** Attempts so far, this one among them. */
  readonly attempts: number
}

/** Options of a claim. */
export interface ClaimOptions {
  /** Identifier of this process: a text that no other process has. */
  readonly owner: string
  readonly leaseMs: number
  /** Most deliveries that this claim takes. */
  readonly most: number
  /** Most of them that may go to receivers which fail. */
  readonly mostFailing: number
  /** ULID of the last receiver of the claim before: this claim begins with the receiver after it, so that each has its turn. */
  readonly after: string
  /** Random number from 0 to 1 that spreads the times of further attempts. */
  readonly random: number
}

/** Number of deliveries that a claim takes for one receiver. */
interface Share {
  readonly webhook: Webhook
  readonly room: number
}

/** Most deliveries that all replicas together send to one receiver at the same moment. A receiver that fails gets one: it shows whether the receiver works again. */
const AT_A_TIME = 4
const AT_A_TIME_FAILING = 1
/** Name of a row of `svc_leases` that every claim locks first, so that two replicas never claim at once and count the same deliveries. */
const TURN = 'claim deliveries'

/** Works out in how many milliseconds the next delivery is due; null: none waits. */
export function* nextDue({ now }: WorkDatabase): Work<number | null> {
  const [row] = yield* ask(sql`
    select min(next_at) as due, ${now} as now from svc_deliveries where state = 'pending' and attempts < ${MOST_ATTEMPTS}`)
  return row?.due === null || !row ? null : timeOf(row.due).getTime() - timeOf(row.now).getTime()
}

/**
 * Claims deliveries that are due, some of each receiver in turn. A claim counts as a failed attempt until its end is recorded: should sending one end
 * the process again and again, its attempts still run out.
 */
export function* claim(database: WorkDatabase, options: ClaimOptions): Work<readonly ClaimedDelivery[]> {
  const { now } = database
  yield* ask(sql`insert into svc_leases (name, owner, until, fence) values (${TURN}, '', ${now}, 0) on conflict do nothing returning name`)
  yield* ask(sql`select name from svc_leases where name = ${TURN} ${database.exclusive}`)
  const due = sql`from svc_deliveries d where d.webhook = w.ulid and d.state = 'pending' and d.next_at <= ${now} and d.attempts < ${MOST_ATTEMPTS}`
  const rows = yield* ask(sql`
    select w.*, (select count(*) from svc_deliveries d where d.webhook = w.ulid and not ${isFree(database, sql`d.lease_until`)}) as busy,
      (select count(*) from (select 1 ${due} limit ${AT_A_TIME}) few) as due
    from svc_webhooks w where w.status <> 'disabled' and (w.paused_until is null or w.paused_until <= ${now}) and exists (select 1 ${due})
    order by w.ulid`)
  const round = rows.map((row) => ({ webhook: webhookOf(row), busy: Number(row.busy), due: Number(row.due) }))
  const shares: Share[] = []
  let most = options.most
  let failing = options.mostFailing
  for (const { webhook, busy, due } of [
    ...round.filter(({ webhook }) => webhook.ulid > options.after),
    ...round.filter(({ webhook }) => webhook.ulid <= options.after),
  ]) {
    const fails = webhook.status === 'failing'
    const room = Math.min((fails ? AT_A_TIME_FAILING : AT_A_TIME) - busy, due, most, fails ? failing : AT_A_TIME)
    if (room <= 0) continue
    most -= room
    if (fails) failing -= room
    shares.push({ webhook, room })
  }
  const claimed = yield* claimOf(database, shares, options)
  if (claimed.length === 0) yield* endUnwanted(database)
  return yield* withBodies(claimed)
}

/** Claims what is due of each receiver in one statement, so that fifty receivers cost no more round trips than one. */
function* claimOf(database: WorkDatabase, shares: readonly Share[], options: ClaimOptions): Work<Omit<ClaimedDelivery, 'body'>[]> {
  if (shares.length === 0) return []
  const { owner, leaseMs, random } = options
  const { now } = database
  const again = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, index) => {
    const pause = Math.max(leaseMs, pauseAfter(index + 1, random) ?? 0)
    return sql`when ${index} then ${database.later(pause)}`
  })
  const due = shares.map(
    ({ webhook, room }) => sql`select id from (
      select id from svc_deliveries where webhook = ${webhook.ulid} and state = 'pending' and next_at <= ${now} and attempts < ${MOST_ATTEMPTS}
      order by next_at, id limit ${room} ${database.skipLocked}) one`,
  )
  const rows = yield* ask(sql`
    with due as (${sql.join(due, sql` union all `)})
    update svc_deliveries set owner = ${owner}, lease_until = ${database.later(leaseMs)}, fence = fence + 1, attempts = attempts + 1,
      next_at = case attempts ${sql.join(again, sql` `)} else ${database.later(leaseMs)} end
    where id in (select id from due)
    returning id, event, fence, attempts, webhook`)
  // In the order of the shares: the next round begins after the receiver of the last one.
  return shares.flatMap(({ webhook }) =>
    rows
      .filter((row) => row.webhook === webhook.ulid)
      .map(({ id, event, fence, attempts }) => {
        return { id: String(id), event: String(event), webhook, owner, fence: Number(fence), attempts: Number(attempts) }
      }),
  )
}

function* withBodies(claimed: readonly Omit<ClaimedDelivery, 'body'>[]): Work<readonly ClaimedDelivery[]> {
  if (claimed.length === 0) return []
  const rows = yield* ask<{ id: string; body: string }>(
    sql`select id, body from svc_events where id in ${listed([...new Set(claimed.map(({ event }) => event))])}`,
  )
  const bodies = new Map(rows.map(({ id, body }) => [id, body]))
  return claimed.map((each) => ({ ...each, body: bodies.get(each.event) ?? null }))
}

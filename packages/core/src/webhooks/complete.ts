import { core } from '../db/drizzle.ts'
import { ask, listed, type Work, type WorkDatabase } from '../db/work.ts'
import { switchOff } from './abandon.ts'
import type { ClaimedDelivery } from './claim.ts'
import { FAILURES } from './failures.ts'
import { pauseAfter } from './schedule.ts'
import type { Attempt } from './send.ts'
import { type Webhook, webhookOf } from './webhook-row.ts'

const { sql } = core()

/** A delivery that was tried. */
export interface TriedDelivery {
  readonly claimed: ClaimedDelivery
  readonly attempt: Attempt
  /** Random number from 0 to 1 that spreads the times of further attempts. */
  readonly random: number
}

type Failed = Attempt & { readonly failure: NonNullable<Attempt['failure']> }

/** A receiver that was switched off. */
interface SwitchedOff {
  readonly ulid: string
  readonly account: string
  readonly reason: string
}

/** Time of nothing but failures after which a receiver is switched off, in milliseconds: 5 days. */
const GIVE_UP_MS = 5 * 86_400_000
const GONE = 410
/** Statuses of answers by which a receiver asks for fewer requests. */
const SLOWER: readonly number[] = [429, 502, 503, 504]

/**
 * Notes how attempts ended. One whose lease somebody else has taken since, or which was sent again by request, changes nothing.
 *
 * @returns the receivers that are switched off by it
 */
export function* complete(database: WorkDatabase, tried: readonly TriedDelivery[]): Work<readonly SwitchedOff[]> {
  const healed = yield* noteDelivered(
    database,
    tried.filter(({ attempt }) => attempt.failure === null),
  )
  const off: SwitchedOff[] = []
  const failed = tried.filter(({ attempt }) => attempt.failure !== null)
  // In one order everywhere, so that two replicas never wait for each other's receivers crosswise.
  for (const ulid of [...new Set([...healed, ...failed.map(({ claimed }) => claimed.webhook.ulid)])].sort()) {
    if (healed.has(ulid)) yield* heal(database, ulid)
    for (const each of failed.filter(({ claimed }) => claimed.webhook.ulid === ulid)) {
      const reason = yield* noteFailed(database, each)
      if (reason !== null) off.push({ ulid, account: each.claimed.webhook.account, reason })
    }
  }
  return off
}

/**
 * Notes what was delivered, in one statement and without the rows of the receivers: whatever writes an event reads these.
 *
 * @returns receivers that were taken for failing, or paused
 */
function* noteDelivered(database: WorkDatabase, delivered: readonly TriedDelivery[]): Work<ReadonlySet<string>> {
  if (delivered.length === 0) return new Set()
  const { now } = database
  const rows = delivered.map(({ claimed: { id, owner, fence }, attempt: { status, latencyMs, answer } }) => {
    const columns = sql`cast(${id} as text), cast(${owner} as text), cast(${fence} as integer)`
    return sql`(${columns}, cast(${status} as integer), cast(${latencyMs} as integer), cast(${answer} as text))`
  })
  const deliveries = yield* ask<{ webhook: string }>(sql`
    with done (delivery, by_owner, by_fence, told, took, said) as (values ${sql.join(rows, sql`, `)})
    update svc_deliveries set state = 'delivered', owner = null, lease_until = null, last_at = ${now}, last_status = told, last_error = null,
      latency_ms = took, answer = said, next_at = ${now}, ended_at = ${now}
    from done where id = delivery and state = 'pending' and owner = by_owner and fence = by_fence returning webhook`)
  const webhooks = yield* ask<{ ulid: string }>(sql`
    select ulid from svc_webhooks where ulid in ${listed([...new Set(deliveries.map(({ webhook }) => webhook))])}
      and (status = 'failing' or (status = 'enabled' and paused_until is not null))`)
  return new Set(webhooks.map(({ ulid }) => ulid))
}

/** Notes that a receiver works again. One that was switched off meanwhile stays so. */
function* heal({ now }: WorkDatabase, ulid: string): Work<void> {
  yield* ask(sql`
    update svc_webhooks set status = 'enabled', reason = null, failing_since = null, paused_until = null, updated_at = ${now}
    where ulid = ${ulid} and status <> 'disabled' returning ulid`)
}

function* noteFailed(database: WorkDatabase, { claimed, attempt, random }: TriedDelivery): Work<string | null> {
  const { now } = database
  const [row] = yield* ask(sql`
    select *, case when failing_since <= ${database.later(-GIVE_UP_MS)} then 1 else 0 end as too_long
    from svc_webhooks where ulid = ${claimed.webhook.ulid} ${database.exclusive}`)
  const { failure, status, latencyMs, answer } = attempt
  const pause = failure === 'EVENT_GONE' ? null : pauseAfter(claimed.attempts, random, attempt.retryAfterMs ?? 0)
  const rows = yield* ask(sql`
    update svc_deliveries set state = ${pause === null ? 'dead' : 'pending'}, owner = null, lease_until = null, last_at = ${now},
      last_status = ${status}, last_error = ${failure}, latency_ms = ${latencyMs}, answer = ${answer},
      next_at = ${pause === null ? now : database.later(pause)}, ended_at = ${pause === null ? now : null}
    where id = ${claimed.id} and state = 'pending' and owner = ${claimed.owner} and fence = ${claimed.fence} returning id`)
  if (rows.length === 0 || !row || failure === null || failure === 'EVENT_GONE') return null
  return yield* judge(database, webhookOf(row), { ...attempt, failure }, Number(row.too_long) === 1)
}

/** Applies the consequences of a failed attempt to its receiver. @returns why it is switched off, if it is */
function* judge(database: WorkDatabase, webhook: Webhook, attempt: Failed, tooLong: boolean): Work<string | null> {
  const { ulid, status, reason } = webhook
  const { now } = database
  if (status === 'disabled') return null
  const why = `The last attempt failed: ${FAILURES[attempt.failure]}${attempt.status === null ? '' : ` (${attempt.status})`}.`
  if (attempt.status === GONE || tooLong) {
    const sentence = attempt.status === GONE ? 'It answered 410, that it is gone.' : `Nothing but failures for 5 days. ${why}`
    yield* switchOff(database, ulid, sentence)
    return sentence
  }
  const slower = attempt.retryAfterMs !== null && SLOWER.includes(attempt.status ?? 0)
  const until = slower ? database.later(pauseAfter(1, 0.5, attempt.retryAfterMs ?? 0) ?? 0) : null
  if (status === 'failing' && reason === why && until === null) return null
  yield* ask(sql`
    update svc_webhooks set status = 'failing', reason = ${why}, failing_since = coalesce(failing_since, ${now}),
      paused_until = coalesce(${until}, paused_until), updated_at = ${now}
    where ulid = ${ulid} returning ulid`)
  return null
}

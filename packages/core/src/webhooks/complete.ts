import { core } from '../db/drizzle.ts'
import { ask, type Work, type WorkDatabase } from '../db/work.ts'
import type { Claimed } from './claim.ts'
import { FAILURES } from './failures.ts'
import { MOST_ATTEMPTS, pauseAfter } from './schedule.ts'
import type { Attempt } from './send.ts'
import { type Webhook, webhookOf } from './webhook-row.ts'

const { sql } = core()

/** A delivery that was tried. */
export interface Tried {
  readonly claimed: Claimed
  readonly attempt: Attempt
  /** From 0 to 1. */
  readonly random: number
}

/** A receiver that was switched off. */
export interface SwitchedOff {
  readonly ulid: string
  readonly account: string
  readonly reason: string
}

/** After so long of nothing but failures nothing is sent any more, in milliseconds: 5 days. */
const GIVE_UP_MS = 5 * 86_400_000
const GONE = 410
/** Answers by which a receiver asks for less of everything. */
const SLOWER: readonly number[] = [429, 502, 503, 504]

/**
 * Notes how attempts ended. One whose lease somebody else has taken since, or which was sent again by request, changes nothing.
 *
 * @returns the receivers that are switched off by it
 */
export function* complete(database: WorkDatabase, tried: readonly Tried[]): Work<readonly SwitchedOff[]> {
  const off: SwitchedOff[] = []
  // In one order everywhere, so that two replicas never wait for each other's receivers crosswise.
  for (const each of tried.toSorted((a, b) => (a.claimed.webhook.ulid < b.claimed.webhook.ulid ? -1 : 1))) {
    const reason = yield* completeOne(database, each)
    const { ulid, account } = each.claimed.webhook
    if (reason !== null) off.push({ ulid, account, reason })
  }
  return off
}

function* completeOne(database: WorkDatabase, { claimed, attempt, random }: Tried): Work<string | null> {
  const { now } = database
  const [row] = yield* ask(sql`
    select *, case when failing_since <= ${database.later(-GIVE_UP_MS)} then 1 else 0 end as too_long
    from svc_webhooks where ulid = ${claimed.webhook.ulid} ${database.exclusive}`)
  const { failure, status, latencyMs, answer } = attempt
  const pause = failure === null || failure === 'EVENT_GONE' ? null : pauseAfter(claimed.attempts, random, attempt.retryAfterMs ?? 0)
  const state = failure === null ? 'delivered' : pause === null ? 'dead' : 'pending'
  const noted = yield* ask(sql`
    update svc_deliveries set state = ${state}, owner = null, lease_until = null, last_at = ${now}, last_status = ${status},
      last_error = ${failure}, latency_ms = ${latencyMs}, answer = ${answer},
      next_at = ${pause === null ? now : database.later(pause)}, ended_at = ${pause === null ? now : null}
    where id = ${claimed.id} and state = 'pending' and owner = ${claimed.owner} and fence = ${claimed.fence} returning id`)
  if (noted.length === 0 || !row || failure === 'EVENT_GONE') return null
  return yield* judge(database, webhookOf(row), attempt, Number(row.too_long) === 1)
}

/** What an attempt means for its receiver. @returns why it is switched off, if it is */
function* judge(database: WorkDatabase, webhook: Webhook, attempt: Attempt, tooLong: boolean): Work<string | null> {
  const { ulid, status, reason, pausedUntil } = webhook
  const { now } = database
  if (status === 'disabled') return null
  if (attempt.failure === null) {
    if (status === 'enabled' && pausedUntil === null) return null
    yield* ask(sql`
      update svc_webhooks set status = 'enabled', reason = null, failing_since = null, paused_until = null, updated_at = ${now}
      where ulid = ${ulid} returning ulid`)
    return null
  }
  const why = `The last attempt failed: ${FAILURES[attempt.failure]}${attempt.status === null ? '' : ` (${attempt.status})`}.`
  if (attempt.status === GONE || tooLong) {
    const given = attempt.status === GONE ? 'It answered 410, that it is gone.' : `Nothing but failures for 5 days. ${why}`
    yield* switchOff(database, ulid, given)
    return given
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

import { notFound, serviceError } from '../base/codes.ts'
import { core } from '../db/drizzle.ts'
import { ask, type Row, timeOrNull, type Work, type WorkDatabase } from '../db/work.ts'
import { switchOff } from './abandon.ts'
import { type Webhook, webhookOf } from './webhook-row.ts'

const { sql } = core()

/** Members that describe a subscription. */
export type Subscription = Pick<Webhook, 'url' | 'description' | 'events' | 'protocols' | 'rewardsThreshold'>

/** Members that may be changed; a member left out stays as it is. */
export type SubscriptionChanges = Partial<Subscription> & { readonly enabled?: boolean | undefined }

/** Identifies a receiver, and limits the caller to the receivers of an account. */
export interface WebhookScope {
  readonly ulid: string
  /** Account of the receiver; null: any account. */
  readonly account: string | null
}

/** A receiver, and the deliveries that wait for it. */
export interface WebhookState {
  readonly webhook: Webhook
  /** Number of deliveries that wait. */
  readonly waiting: number
  /** Time at which the first of them is due; null: none waits. */
  readonly nextAt: Date | null
}

const SWITCHED_OFF = 'Switched off by request.'

/** Saves a new webhook. @throws 409 `WEBHOOKS_EXHAUSTED` when the account has as many as it may have */
export function* insertWebhook(
  database: WorkDatabase,
  webhook: Subscription & Pick<Webhook, 'ulid' | 'account' | 'pepper'>,
  most: number,
): Work<void> {
  const { ulid, account, url, description, pepper } = webhook
  const { now } = database
  // One at a time for each account: two that count together would both find room.
  yield* ask(sql`insert into svc_event_heads (account, sequence) values (${account}, 0) on conflict do nothing returning account`)
  yield* ask(sql`select account from svc_event_heads where account = ${account} ${database.exclusive}`)
  const [row] = yield* ask(sql`select count(*) as count from svc_webhooks where account = ${account}`)
  if (Number(row?.count) >= most)
    throw serviceError(
      409,
      'WEBHOOKS_EXHAUSTED',
      `The account has ${most} webhooks, which is the most that it may have; delete one that is no longer needed.`,
    )
  yield* ask(sql`
    insert into svc_webhooks (ulid, account, url, description, events, protocols, rewards_threshold, status, secret_version, pepper, created_at, updated_at)
    values (${ulid}, ${account}, ${url}, ${description}, ${json(webhook.events)}, ${json(webhook.protocols)}, ${json(webhook.rewardsThreshold)}, 'enabled', 1,
      ${pepper}, ${now}, ${now}) returning ulid`)
}

/** Lists webhooks in the order of their creation, a page at a time. @param account null: of all accounts */
export function* listWebhooks(_: WorkDatabase, account: string | null, { after = '', limit = 1_000 } = {}): Work<readonly WebhookState[]> {
  const rows = yield* ask(sql`
    select w.*, ${WAITING} from svc_webhooks w where ${account === null ? sql`true` : sql`w.account = ${account}`} and w.ulid > ${after}
    order by w.ulid limit ${limit}`)
  return rows.map(stateOf)
}

/** Reads a webhook with its state. @throws 404 `WEBHOOK_NOT_FOUND`, for another account's as for none at all */
export function* readWebhook(_: WorkDatabase, scope: WebhookScope): Work<WebhookState> {
  const [row] = yield* ask(sql`select w.*, ${WAITING} from svc_webhooks w where ${ofScope(scope)}`)
  return stateOf(required(row, scope))
}

/**
 * Reads a webhook and locks its row until the end of the transaction.
 *
 * @throws 404 `WEBHOOK_NOT_FOUND`
 */
export function* lockWebhook(database: WorkDatabase, scope: WebhookScope): Work<Webhook> {
  const [row] = yield* ask(sql`select * from svc_webhooks w where ${ofScope(scope)} ${database.exclusive}`)
  return webhookOf(required(row, scope))
}

/** Changes a webhook. @throws 404 `WEBHOOK_NOT_FOUND` */
export function* updateWebhook(database: WorkDatabase, scope: WebhookScope, changes: SubscriptionChanges): Work<void> {
  const before = yield* lockWebhook(database, scope)
  const { enabled, ...members } = changes
  const { url, description, events, protocols, rewardsThreshold } = { ...before, ...members }
  yield* ask(sql`
    update svc_webhooks set url = ${url}, description = ${description}, events = ${json(events)}, protocols = ${json(protocols)},
      rewards_threshold = ${json(rewardsThreshold)}, updated_at = ${database.now} where ulid = ${scope.ulid} returning ulid`)
  if (enabled === false && before.status !== 'disabled') yield* switchOff(database, scope.ulid, SWITCHED_OFF)
  if (enabled === true && before.status !== 'enabled')
    yield* ask(sql`
      update svc_webhooks set status = 'enabled', reason = null, failing_since = null, paused_until = null where ulid = ${scope.ulid} returning ulid`)
}

/** Deletes a webhook and the deliveries that wait for it. @throws 404 `WEBHOOK_NOT_FOUND` */
export function* removeWebhook(database: WorkDatabase, scope: WebhookScope): Work<void> {
  const { ulid } = yield* lockWebhook(database, scope)
  yield* ask(sql`delete from svc_webhooks where ulid = ${ulid} returning ulid`)
  yield* ask(sql`delete from svc_deliveries where webhook = ${ulid} and state = 'pending' returning id`)
}

/**
 * Gives a webhook another secret. The one before signs too for `overlapMs` milliseconds.
 *
 * @param pepper fingerprint of the one that the new secret is derived from
 * @throws 404 `WEBHOOK_NOT_FOUND`
 */
export function* rotateWebhook(database: WorkDatabase, scope: WebhookScope, pepper: string, overlapMs: number): Work<void> {
  const before = yield* lockWebhook(database, scope)
  yield* ask(sql`
    update svc_webhooks set secret_version = secret_version + 1, secret_until = ${database.later(overlapMs)}, former_pepper = ${before.pepper},
      pepper = ${pepper}, updated_at = ${database.now} where ulid = ${scope.ulid} returning ulid`)
}

const WAITING = sql`
  (select count(*) from svc_deliveries d where d.webhook = w.ulid and d.state = 'pending') as waiting,
  (select min(next_at) from svc_deliveries d where d.webhook = w.ulid and d.state = 'pending') as waiting_next`

function stateOf(row: Row): WebhookState {
  return { webhook: webhookOf(row), waiting: Number(row.waiting), nextAt: timeOrNull(row.waiting_next) }
}

function ofScope({ ulid, account }: WebhookScope) {
  return account === null ? sql`w.ulid = ${ulid}` : sql`w.ulid = ${ulid} and w.account = ${account}`
}

function required(row: Row | undefined, { ulid, account }: WebhookScope): Row {
  if (row) return row
  const where = account === null ? '' : ' in this account'
  throw notFound('WEBHOOK_NOT_FOUND', `There is no webhook ${JSON.stringify(ulid.slice(0, 40).toWellFormed())}${where}.`)
}

function json(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value)
}

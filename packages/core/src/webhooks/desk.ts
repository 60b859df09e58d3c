import { badRequest } from '../base/codes.ts'
import type { ListStore } from '../db/slices.ts'
import { nextUlid } from '../db/ulid.ts'
import type { WorkRunner } from '../db/work.ts'
import type { BeforeChange } from '../keys/manage.ts'
import { type AlarmScope, dismiss, type EventScope, type OpenAlarms, readAlarms, readEvent } from './alarms.ts'
import type { Events, StoredEvent } from './events.ts'
import {
  type Delivery,
  type DeliveryState,
  type EventFilter,
  type KeptEvent,
  type Replay,
  readDeliveries,
  readEvents,
  replay,
  requireEnabled,
  resend,
} from './history.ts'
import {
  insertWebhook,
  listWebhooks,
  lockWebhook,
  readWebhook,
  removeWebhook,
  rotateWebhook,
  type Subscription,
  type SubscriptionChanges,
  updateWebhook,
  type WebhookScope,
  type WebhookState,
} from './manage.ts'
import type { WebhookKeys } from './signing.ts'
import { readTarget, type TargetRules } from './target.ts'

/** A receiver with its secret, which is shown this once. */
export interface WithSecret extends WebhookState {
  readonly secret: string
}

/** Operations on receivers, for the API and the command line. `before` is called with each change before it is made; if `before` throws, the change is not made. */
export interface WebhookDesk {
  /** @throws 400 `WEBHOOK_URL_REFUSED`; 409 `WEBHOOKS_EXHAUSTED` */
  create(account: string, subscription: Subscription, before: BeforeChange): Promise<WithSecret>
  /** Lists receivers in order of creation. @param account null: of all accounts */
  list(account: string | null, page?: { readonly after?: string; readonly limit?: number }): Promise<readonly WebhookState[]>
  /** @throws 404 `WEBHOOK_NOT_FOUND`, as each of the following */
  read(scope: WebhookScope): Promise<WebhookState>
  /** @throws 400 `WEBHOOK_URL_REFUSED` */
  update(scope: WebhookScope, changes: SubscriptionChanges, before: BeforeChange): Promise<WebhookState>
  /** Deletes a receiver and the deliveries that wait for it. */
  remove(scope: WebhookScope, before: BeforeChange): Promise<void>
  /** Gives a receiver a new secret. @param overlapMs time for which the former secret signs too */
  rotate(scope: WebhookScope, overlapMs: number, before: BeforeChange): Promise<WithSecret>
  /** Queues a `ping`. @throws 409 `WEBHOOK_DISABLED` */
  test(scope: WebhookScope, before: BeforeChange): Promise<StoredEvent>
  /** Lists the deliveries of a receiver, the newest first. */
  deliveries(
    scope: WebhookScope,
    page: { readonly state?: DeliveryState | undefined; readonly before?: string | undefined; readonly limit: number },
  ): Promise<{ readonly deliveries: readonly Delivery[]; readonly next: string | null }>
  /** @throws 404 `DELIVERY_NOT_FOUND`; 409 `WEBHOOK_DISABLED`, `EVENT_GONE` */
  resend(scope: WebhookScope, delivery: string, before: BeforeChange): Promise<Delivery>
  /** @throws 409 `WEBHOOK_DISABLED`, `WEBHOOK_BACKLOG_FULL` */
  replay(scope: WebhookScope, replay: Replay, before: BeforeChange): Promise<{ readonly queued: number; readonly next: number | null }>
  /** Lists events, the newest first, or the oldest first with `after`. */
  events(filter: EventFilter): Promise<{ readonly events: readonly KeptEvent[]; readonly next: number | null }>
  /** Lists the alarms that nobody has put away. */
  alarms(scope: AlarmScope): Promise<OpenAlarms>
  /** Reads an event. @throws 404 `EVENT_NOT_FOUND` */
  event(scope: EventScope): Promise<KeptEvent>
  /** Puts an alarm away for everybody of its account. @throws 404 `EVENT_NOT_FOUND`, also for an event that is no alarm */
  dismiss(scope: EventScope, before: BeforeChange): Promise<KeptEvent>
  /** Returns a receiver's public key, `whpk_…`; null: the pepper that it is derived from is no longer in the config. */
  publicKey(state: WebhookState): string | null
}

interface DeskOptions {
  readonly store: WorkRunner & ListStore
  readonly events: Events
  readonly keys: WebhookKeys
  readonly rules: TargetRules
  /** Most receivers of an account (`most`), and most deliveries that may wait for one receiver (`backlog`). */
  readonly most: number
  readonly backlog: number
  /** Clock that gives the time of a `ping`. */
  readonly time: () => Date
  /** A clock instead of the database's. */
  readonly now?: (() => Date) | undefined
}

/** Time for which the secret before a rotation signs too, in milliseconds: a day. */
export const OVERLAP_MS = 86_400_000

/** Makes the desk of a service: all that its routes and commands do with webhooks, their deliveries and events. */
export function createDesk({ store, events, keys, rules, most, backlog, time, now }: DeskOptions): WebhookDesk {
  const clock = { now }
  const read = (scope: WebhookScope) => store.run((database) => readWebhook(database, scope), clock)
  const withSecret = async (scope: WebhookScope): Promise<WithSecret> => {
    const state = await read(scope)
    return { ...state, secret: String(keys.secret(state.webhook)) }
  }
  const change = async <T>(
    scope: WebhookScope,
    action: string,
    before: BeforeChange,
    work: Parameters<typeof store.transact<T>>[0],
    changes?: object,
  ): Promise<T> => {
    await read(scope)
    await before({ action, target: scope.ulid, ...(changes === undefined ? {} : { changes }) })
    return events.transact(work)
  }

  return {
    async create(account, question, before) {
      const subscription = { ...question, url: parsed(question.url, rules) }
      const ulid = nextUlid(time().getTime())
      await before({ action: 'create-webhook', target: ulid, changes: noted(subscription) })
      const product = { ...subscription, ulid, account, pepper: keys.pepper }
      await store.transact((database) => insertWebhook(database, product, most), clock)
      return withSecret({ ulid, account })
    },
    list: (account, page) => store.run((database) => listWebhooks(database, account, page), clock),
    read,
    async update(scope, input, before) {
      const changes = input.url === undefined ? input : { ...input, url: parsed(input.url, rules) }
      await change(scope, 'update-webhook', before, (database) => updateWebhook(database, scope, changes), noted(changes))
      return read(scope)
    },
    remove: (scope, before) => change(scope, 'delete-webhook', before, (database) => removeWebhook(database, scope)),
    async rotate(scope, overlapMs, before) {
      const changes = { overlap_hours: overlapMs / 3_600_000 }
      await change(scope, 'rotate-webhook', before, (database) => rotateWebhook(database, scope, keys.pepper, overlapMs), changes)
      return withSecret(scope)
    },
    async test(scope, before) {
      const [sent] = await change(scope, 'test-webhook', before, function* (database) {
        const at = time()
        const account = scope.account ?? (yield* readWebhook(database, scope)).webhook.account
        const subject = `webhook ${scope.ulid}`
        const data = { webhook: scope.ulid }
        const event = { account, type: 'ping', subject, transition: nextUlid(at.getTime()), time: at, data, to: [scope.ulid] } as const
        const written = yield* events.insert(database, [event])
        requireEnabled(yield* lockWebhook(database, scope))
        return written
      })
      if (!sent) throw new Error('expected a ping that was not there before')
      return sent
    },
    async deliveries(scope, page) {
      await read(scope)
      const { rows, next } = await readDeliveries(store, scope.ulid, page)
      return { deliveries: rows, next }
    },
    resend: (scope, delivery, before) =>
      change(scope, 'resend-delivery', before, (database) => resend(database, scope, delivery), { delivery: delivery.slice(0, 40) }),
    replay: (scope, range, before) =>
      change(scope, 'replay-webhook', before, (database) => replay(database, scope, range, backlog), {
        from: range.from,
        to: range.to,
        delivered: range.delivered,
      }),
    async events(filter) {
      const { rows, next } = await readEvents(store, filter)
      return { events: rows, next }
    },
    alarms: (scope) => store.run(() => readAlarms(scope), clock),
    event: (scope) => store.run(() => readEvent(scope), clock),
    async dismiss(scope, before) {
      await before({ action: 'dismiss-event', target: scope.id })
      return store.transact((database) => dismiss(database, scope), clock)
    },
    publicKey: ({ webhook }) => keys.publicKey(webhook),
  }
}

/**
 * Reads the address of a receiver. What is kept and shown is what the parser made of it, so that no reader sees another address than the one that is called.
 *
 * @throws 400 `WEBHOOK_URL_REFUSED`
 */
function parsed(url: string, rules: TargetRules): string {
  const target = readTarget(url, rules)
  if ('refusal' in target) throw badRequest('WEBHOOK_URL_REFUSED', target.refusal)
  return target.url.href
}

/** Picks the members for the audit log: of an address only where it is, since what follows may be a password of the receiver's. */
function noted({ url, ...members }: SubscriptionChanges): object {
  return { ...members, ...(url === undefined ? {} : { url: new URL(url).origin }) }
}

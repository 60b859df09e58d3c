import type { Delivery, Webhook, WebhookStatus } from '../../api/webhooks.ts'

/** A kind of thing that events are about, and its events in words. */
interface Family {
  /** `transaction` */
  readonly name: string
  /** `Transactions` */
  readonly title: string
  readonly types: readonly { readonly type: string; readonly says: string }[]
}

/** Every event, as it is chosen. @see packages/core/src/webhooks/event-types.ts */
export const FAMILIES: readonly Family[] = [
  {
    name: 'transaction',
    title: 'Transactions',
    types: [
      { type: 'transaction.included', says: 'is in a block, which may still be replaced' },
      { type: 'transaction.final', says: 'is in a block that stays' },
      { type: 'transaction.failed', says: 'was not carried out' },
      { type: 'transaction.replaced', says: 'gave way to another one' },
      { type: 'transaction.expired', says: 'can no longer land' },
      { type: 'transaction.reorged', says: 'lost its block' },
      { type: 'transaction.not_held', says: 'is held by no node, and can be sent again' },
      { type: 'transaction.amounts_differ', says: 'moved something else than promised' },
    ],
  },
  {
    name: 'position',
    title: 'Positions',
    types: [
      { type: 'position.active', says: 'a stake earns from now on' },
      { type: 'position.withdrawable', says: 'a withdrawal can be taken' },
      { type: 'position.withdrawn', says: 'what was leaving was paid out' },
      { type: 'position.moved', says: 'stake lies in other units of the wallet' },
      { type: 'position.exit_started', says: 'stake leaves that nobody here promised' },
      { type: 'position.exit_cancelled', says: 'what was leaving stays' },
      { type: 'position.slashed', says: 'the validator was slashed' },
      { type: 'position.control_changed', says: 'somebody else may move, take or lock it' },
      { type: 'position.lost', says: "what was the wallet's is not any more" },
      { type: 'position.rewards_claimable', says: 'rewards can be claimed' },
      { type: 'position.rewarded', says: 'earned since the last reading; only if chosen by itself' },
    ],
  },
  {
    name: 'validator',
    title: 'Validators',
    types: [
      { type: 'validator.jailed', says: 'earns nothing for a while' },
      { type: 'validator.inactive', says: 'has been outside the active set for an hour' },
      { type: 'validator.left', says: 'is no longer in the set' },
      { type: 'validator.commission_changed', says: 'takes another share' },
    ],
  },
  { name: 'pool', title: 'Pools', types: [{ type: 'pool.paused', says: 'takes no stakes, or pays nothing out' }] },
  {
    name: 'protocol',
    title: 'Terms of products',
    types: [
      { type: 'protocol.control_changed', says: 'somebody else may change it, or move what is staked' },
      { type: 'protocol.fee_changed', says: 'takes another fee' },
      { type: 'protocol.rule_changed', says: 'asks something else of a stake' },
    ],
  },
  {
    name: 'apikey',
    title: 'API keys',
    types: [
      { type: 'apikey.changed', says: 'was made, changed or revoked' },
      { type: 'apikey.expiring', says: 'ends in 7 days, or in 1 day' },
    ],
  },
  {
    name: 'security',
    title: 'Security',
    types: [
      { type: 'security.decode_mismatch', says: 'a transaction was withheld' },
      { type: 'security.hidden_call', says: 'a transaction did more than was asked for here' },
    ],
  },
]

/** Says what a webhook is told of, in a few words: `everything`; `transactions, position.active`. */
export function eventsText(events: Webhook['events']): string {
  if (events === null) return 'everything'
  return events.map((each) => (each.endsWith('.*') ? titleOf(each.slice(0, -2)).toLowerCase() : each)).join(', ')
}

function titleOf(name: string): string {
  return FAMILIES.find((family) => family.name === name)?.title ?? name
}

/** Each state in a word. */
export const STATES: Readonly<Record<WebhookStatus, string>> = { enabled: 'Enabled', failing: 'Failing', disabled: 'Disabled' }

/** Names an address where there is no room for it: by its host and path, without what is secret in some. */
export function nameOf({ url }: Pick<Webhook, 'url'>): string {
  try {
    const { host, pathname } = new URL(url)
    return pathname === '/' ? host : `${host}${pathname}`
  } catch {
    return url
  }
}

/** Returns the text that has to be typed to delete a webhook. */
export function hostOf({ url }: Pick<Webhook, 'url'>): string {
  try {
    return new URL(url).hostname
  } catch {
    return url
  }
}

/** Why an attempt failed, after “The last attempt failed: ”. @see packages/core/src/webhooks/send.ts */
const FAILURES: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED: 'its address is not one that is sent to',
  NAME_UNKNOWN: 'its name has no address',
  CONNECT_FAILED: 'no connection could be made',
  TLS_FAILED: 'its certificate does not hold',
  TIMEOUT: 'there was no answer in time',
  ANSWER_UNREADABLE: 'what it answered is no HTTP, or its headers are larger than 64 KiB',
  CONNECTION_LOST: 'the connection ended before there was an answer',
  REDIRECT: 'it answered with a redirect, which is not followed',
  STATUS: 'it did not answer with 2xx',
  SECRET_UNAVAILABLE: 'its secret cannot be worked out any more: rotate it',
  EVENT_GONE: 'the event is no longer kept',
  WEBHOOK_DISABLED: 'the webhook was disabled before',
  UNFINISHED: 'the service was stopped in the midst of it',
}

/** Says how an attempt ended, in a sentence without its stop; null: there was none yet. */
export function outcomeOf({
  status,
  error,
  latency_ms,
  last_at,
}: Pick<Delivery, 'status' | 'error' | 'latency_ms' | 'last_at'>): string | null {
  const took = latency_ms === null ? '' : ` in ${latency_ms} ms`
  if (error !== null) {
    const why = FAILURES[error] ?? error
    return status === null ? capital(why) : `Answered ${status}${took}: ${why}`
  }
  if (last_at === null) return null
  return status === null ? null : `Answered ${status}${took}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/**
 * Adds what a delivery says of the attempt that ended last to those that were seen before, each once. They are told apart by when they ended: `attempts` counts one that is
 * under way too.
 */
export function withAttempt(attempts: readonly Delivery[], now: Delivery): readonly Delivery[] {
  return now.last_at === null || attempts.some((each) => each.last_at === now.last_at) ? attempts : [...attempts, now]
}

/** States of deliveries as they are chosen. */
export const DELIVERY_STATES: readonly { readonly value: Delivery['state'] | ''; readonly label: string }[] = [
  { value: '', label: 'All' },
  { value: 'pending', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'dead', label: 'Given up' },
]

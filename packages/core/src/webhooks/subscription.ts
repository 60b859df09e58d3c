import { badRequest } from '../base/codes.ts'
import { nearest } from '../base/nearest.ts'
import { isReadableText, quoted } from '../base/readable-text.ts'
import { EVENT_FILTERS } from './event-types.ts'
import type { SubscriptionChanges } from './manage.ts'

/** Body of a request with the settings of a receiver. Members that are left out are absent from the result too. */
interface SubscriptionBody {
  readonly url?: string | undefined
  readonly description?: string | null | undefined
  readonly events?: readonly string[] | null | undefined
  readonly protocols?: readonly string[] | null | undefined
  readonly rewards_threshold?: Readonly<Record<string, string>> | null | undefined
}

/**
 * Reads what a webhook subscribes to from the body of a request.
 *
 * @param names short names of the service's plugins
 * @throws 400 `REQUEST_INVALID` for a protocol that the service has not
 */
export function readSubscription(body: SubscriptionBody, names: readonly string[]): Omit<SubscriptionChanges, 'enabled'> {
  const { url, description, events, protocols, rewards_threshold: rewardsThreshold } = body
  if (description && !isReadableText(description))
    throw badRequest('REQUEST_INVALID', 'description has characters that cannot be seen, or none that can; it must be text.')
  requireKnown('protocols', protocols ?? [], names)
  requireKnown('rewards_threshold', Object.keys(rewardsThreshold ?? {}), names)
  const members = { url, description, events, protocols, rewardsThreshold }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** Checks the types of events that were named. @throws 400 `REQUEST_INVALID` for a type that there is not. Of the API its schema says so. */
export function requireEvents(events: readonly string[] | null): void {
  requireKnown('events', events ?? [], EVENT_FILTERS, 'type of event')
}

function requireKnown(member: string, words: readonly string[], names: readonly string[], noun = 'protocol of this service'): void {
  const unknown = words.find((name) => !names.includes(name))
  if (unknown === undefined) return
  const close = nearest(unknown, names)
  const hint = close === undefined ? `there are ${names.join(', ') || 'none'}` : `did you mean ${close}?`
  throw badRequest('REQUEST_INVALID', `${member} names ${quoted(unknown)}, which is no ${noun}; ${hint}`.replace(/([^?])$/, '$1.'))
}

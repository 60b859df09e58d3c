import { badRequest } from '../codes.ts'
import { nearest } from '../nearest.ts'
import { EVENT_FILTERS } from './event-types.ts'
import type { SubscriptionChanges } from './manage.ts'

/** A body that says what a receiver wants; what is left out is not in the answer either. */
export interface SubscriptionBody {
  readonly url?: string | undefined
  readonly description?: string | null | undefined
  readonly events?: readonly string[] | null | undefined
  readonly protocols?: readonly string[] | null | undefined
  readonly rewards_threshold?: Readonly<Record<string, string>> | null | undefined
}

/**
 * @param known short names of the service's plugins
 * @throws 400 `REQUEST_INVALID` for a protocol that the service has not
 */
export function readSubscription(body: SubscriptionBody, known: readonly string[]): Omit<SubscriptionChanges, 'enabled'> {
  const { url, description, events, protocols, rewards_threshold: rewardsThreshold } = body
  requireKnown('protocols', protocols ?? [], known)
  requireKnown('rewards_threshold', Object.keys(rewardsThreshold ?? {}), known)
  const members = { url, description, events, protocols, rewardsThreshold }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}

/** @throws 400 `REQUEST_INVALID` for a type that there is not. Of the API its schema says so. */
export function requireEvents(events: readonly string[] | null): void {
  requireKnown('events', events ?? [], EVENT_FILTERS, 'type of event')
}

function requireKnown(member: string, named: readonly string[], known: readonly string[], noun = 'protocol of this service'): void {
  const unknown = named.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const close = nearest(unknown, known)
  const shown = JSON.stringify(unknown.slice(0, 60).toWellFormed())
  const hint = close === undefined ? `there are ${known.join(', ') || 'none'}` : `did you mean ${close}?`
  throw badRequest('REQUEST_INVALID', `${member} names ${shown}, which is no ${noun}; ${hint}`.replace(/([^?])$/, '$1.'))
}

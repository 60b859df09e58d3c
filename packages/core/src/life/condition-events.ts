import type { Term } from '@svc/contract/control'
import type { NewEvent } from '../webhooks/events.ts'
import type { ConditionNews } from './condition-news.ts'
import { keyOf, type TermChange } from './terms.ts'

/** Member of an event that names the term, by its kind. */
const NAMED_BY: Readonly<Record<Term['kind'], string>> = { power: 'aspect', fee: 'fee', rule: 'rule' }

/** Makes the event of one of the news of a condition. @param place network by CAIP-2, and the short name of the plugin */
export function conditionEvent(
  account: string,
  { network, protocol }: { readonly network: string; readonly protocol: string },
  news: ConditionNews,
  time: Date,
): NewEvent {
  const { type, change, step } = news
  const { kind, id } = news.read.condition
  return {
    account,
    type,
    subject: `${network} ${kind} ${id}`,
    transition: [`${protocol} change ${step} ${time.toISOString()}`, ...(change ? [keyOf(change.term)] : [])].join(' '),
    time,
    protocol,
    data: { network, protocol, kind, id, ...(change ? ofTerm(news, change, time) : ofState(news)) },
  }
}

function ofState({ read: { condition }, before }: ConditionNews) {
  const { state, reason, commissionPercent } = condition
  return { state, reason, before: before.state, commission_percent: commissionPercent, commission_percent_before: before.commission }
}

function ofTerm({ type, read, step }: ConditionNews, { term, before }: TermChange, time: Date) {
  const { kind, id, state, reason } = read.condition
  return {
    validator: kind === 'validator' ? id : null,
    [NAMED_BY[term.kind]]: term.name,
    before: before.value,
    after: term.value,
    severity: term.kind === 'power' ? 'critical' : 'warning',
    effective_epoch: term.effectiveEpoch,
    last_seen_without: before.at,
    first_seen_with: time,
    confirmed_by: read.voices.get(keyOf(term)) ?? 1,
    step,
    ...(type === 'validator.commission_changed'
      ? { state, reason, commission_percent: percentOf(term), commission_percent_before: percentOf(before) }
      : {}),
  }
}

function percentOf({ value }: Term): number | null {
  return value === null ? null : Number(value)
}

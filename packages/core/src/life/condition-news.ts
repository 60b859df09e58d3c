import type { Condition } from '@svc/contract'
import type { Term } from '@svc/contract/control'
import type { EventType } from '../webhooks/event-types.ts'
import { changesOfTerms, type KeptTerm, type TermChange } from './terms.ts'

/** Types of the events for states that are told as soon as they begin. */
const TOLD: Partial<Record<Condition['state'], EventType>> = { jailed: 'validator.jailed', left: 'validator.left', paused: 'pool.paused' }
/** Milliseconds for which a validator has to be inactive before that is told: on some chains the state comes and goes with each epoch. */
const STANDS_MS = 3_600_000

/** Condition as it is kept between readings. */
export interface KeptCondition {
  readonly state: Condition['state']
  readonly commission: number | null
  readonly terms: readonly KeptTerm[]
  readonly since: Date
  readonly takenAt: Date
  readonly changes: number
}

/** A condition with the terms that are compared. */
export interface ReadCondition {
  readonly condition: Condition
  readonly terms: readonly Term[]
  /** Number of endpoints that report the change of a term, by the term's key. */
  readonly voices: ReadonlyMap<string, number>
}

/** One event that a reading causes. */
export interface ConditionNews {
  readonly read: ReadCondition
  readonly before: KeptCondition
  readonly type: EventType
  /** Change of a term; null: the event is about the state. */
  readonly change: TermChange | null
  /** Number of readings of the condition so far that have caused an event. */
  readonly step: number
}

/** Tells the news of a reading against the one before. The first reading tells nothing: what it has was there before. */
export function newsOf(before: KeptCondition | undefined, read: ReadCondition, takenAt: Date): readonly ConditionNews[] {
  if (before === undefined) return []
  const step = before.changes + 1
  return [
    ...stateTypes(before, read.condition, takenAt).map((type) => ({ read, before, type, change: null, step })),
    ...changesOfTerms(before.terms, read.terms).map((change) => ({
      read,
      before,
      type: typeOf(read.condition, change.term),
      change,
      step,
    })),
  ]
}

function stateTypes(before: KeptCondition, { kind, state }: Condition, now: Date): readonly EventType[] {
  const eventType = before.state === state ? undefined : TOLD[state]
  // Once: by the first reading that finds it to stand for so long.
  const stood = (at: Date) => at.getTime() - before.since.getTime() >= STANDS_MS
  const idles = kind === 'validator' && state === 'inactive' && before.state === state && stood(now) && !stood(before.takenAt)
  return [...(eventType ? [eventType] : []), ...(idles ? (['validator.inactive'] as const) : [])]
}

function typeOf({ kind: of }: Condition, { kind, name }: Term): EventType {
  if (kind === 'power') return 'protocol.control_changed'
  if (kind === 'rule') return 'protocol.rule_changed'
  return of === 'validator' && name === 'commission' ? 'validator.commission_changed' : 'protocol.fee_changed'
}

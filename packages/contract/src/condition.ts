import { membersOf } from './members.ts'
import { flawOfTerms, type Term } from './terms.ts'

/** States of a condition; the obstacles to a stake are all but the first. */
const STATES = { active: true, inactive: true, jailed: true, left: true, paused: true } as const
const KINDS = { validator: true, pool: true } as const

/**
 * State of a validator or pool:
 *
 * - `active`: stake is taken, and earns;
 * - `inactive`: stake earns nothing there at present: outside the active set, not voting, waiting to join;
 * - `jailed`: the chain has put it out of the active set for a fault, until it is let in again;
 * - `left`: it has left for good, was removed for good, or has announced it;
 * - `paused`: it takes no stake at present; what is staked there goes on as before.
 */
export type ConditionState = keyof typeof STATES

/** Obstacle to staking: the reason why a validator or pool takes no stake. The actions refuse by the same rule. */
export interface Obstacle {
  readonly state: Exclude<ConditionState, 'active'>
  /** Predicate of a sentence about the validator or pool, without a full stop. @example is not in the active set of this epoch */
  readonly reason: string
}

/** Present state of one validator or pool that a network stakes with, as the chain has it. */
export interface Condition {
  /** `pool` is a contract or program that takes the stake of many, such as a vault. */
  readonly kind: keyof typeof KINDS
  /** Identifier in the protocol's own form: an address, a number, an id. */
  readonly id: string
  readonly state: ConditionState
  /** Reason why no stake is taken, as the predicate of a sentence about the validator or pool; null where it is active. */
  readonly reason: string | null
  /** Percent of the rewards that the validator or pool keeps at present, from 0 to 100; null where the chain tells none. */
  readonly commissionPercent: number | null
  /**
   * Terms that others may change without asking a customer. The host compares them and reports changes. Without a fee named `commission` among them, `commissionPercent` is
   * compared.
   *
   * @default the protocol reads none
   */
  readonly terms?: readonly Term[]
}

/**
 * Makes the condition of a validator or pool from what a plugin has read.
 *
 * @param obstacle found by the rule that the plugin's actions refuse by; null: stake is taken, and earns
 */
export function conditionOf(
  { kind, id, commissionPercent, terms }: Pick<Condition, 'kind' | 'id' | 'commissionPercent' | 'terms'>,
  obstacle: Obstacle | null,
): Condition {
  return { kind, id, commissionPercent, ...(terms && { terms }), state: obstacle?.state ?? 'active', reason: obstacle?.reason ?? null }
}

/** Returns the first fault of a list of conditions, as a clause; null for a well-formed list. */
export function flawOfConditions(conditions: unknown): string | null {
  if (!Array.isArray(conditions) || conditions.length === 0) return 'it names nothing that is staked with'
  const flaws = conditions.map((each: unknown) => flawOf(membersOf(each)))
  const ids = new Set(conditions.map((each: unknown) => `${membersOf(each).kind} ${membersOf(each).id}`))
  return flaws.find((flaw) => flaw !== null) ?? (ids.size < conditions.length ? 'it names one of them twice' : null)
}

/** Tells whether a value from outside is a well-formed list of conditions, which a plugin may give. */
export function areConditions(value: unknown): value is readonly Condition[] {
  return flawOfConditions(value) === null
}

function flawOf({ kind, id, state, reason, commissionPercent: percent, terms }: Readonly<Record<string, unknown>>): string | null {
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) return `its kind is ${String(kind)}`
  if (typeof id !== 'string' || id === '') return `a ${kind} has no id`
  if (typeof state !== 'string' || !Object.hasOwn(STATES, state)) return `the state of ${id} is ${String(state)}`
  const isReasoned = state === 'active' ? reason === null : typeof reason === 'string' && reason !== ''
  if (!isReasoned) return `the reason why ${id} is ${state} is ${String(reason)}`
  if (percent !== null && !(typeof percent === 'number' && percent >= 0 && percent <= 100))
    return `${id} keeps ${String(percent)} percent of the rewards`
  return terms === undefined ? null : flawOfTerms(terms)
}

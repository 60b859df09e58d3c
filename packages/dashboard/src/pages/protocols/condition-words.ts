import type { StakedWith } from '../../api/protocols.ts'
import type { TagKind } from '../../parts/value/state.tsx'
import { percentText } from './words.ts'

/**
 * A reading that is older than so many intervals is one of several that failed since; or, where an interval is of days, one that is so many seconds over it:
 * what fails is tried again each minute.
 */
const OLD_INTERVALS = 3
const OLD_SECONDS = 3600

/** Form in which a state is shown: in an alarming colour where stake earns nothing. */
interface StateWord {
  readonly name: string
  /** Null: nothing needs attention. */
  readonly tag: TagKind | null
}

/** A state in a word. */
export const STATE_WORDS: Readonly<Record<StakedWith['state'], StateWord>> = {
  active: { name: 'Active', tag: null },
  inactive: { name: 'Inactive', tag: 'bad' },
  jailed: { name: 'Jailed', tag: 'bad' },
  left: { name: 'Leaving or gone', tag: 'bad' },
  paused: { name: 'Paused', tag: 'warn' },
}

const WORST_FIRST: readonly StateWord['tag'][] = ['bad', 'warn', null]

/** Words for the kinds of what is staked with. */
export const KIND_WORDS: Readonly<Record<StakedWith['kind'], string>> = { validator: 'Validator', pool: 'Pool' }

/** Says what the state means to whoever stakes, in a sentence or two. */
export function meaningOf({ state, reason, commission_percent: percent, terms }: StakedWith): string {
  const keeps = percent === null ? '' : ` It keeps ${percentText(percent)} of the rewards.`
  const powers = terms.filter(({ accepted }) => !accepted).map(({ name, value }) => `${name} ${value ?? 'nobody'}`)
  if (state === 'active' && powers.length > 0)
    return `Stake is refused until the operator of the service accepts who may change it: ${powers.join(', ')}. What is staked there can leave.${keeps}`
  if (state === 'active') return `Stake is taken, and earns.${keeps}`
  const staked = state === 'paused' ? 'What is staked goes on as before.' : 'What is staked there can leave.'
  return `It ${reason}. Stake is refused. ${staked}${keeps}`
}

/** Finds the one of several validators or pools that needs attention most; null where there is none. */
export function worstOf(conditions: readonly StakedWith[] | null): StakedWith | null {
  const place = ({ state }: StakedWith) => WORST_FIRST.indexOf(STATE_WORDS[state].tag)
  const [first = null] = (conditions ?? []).toSorted((one, other) => place(one) - place(other))
  return first
}

/** Tells whether the service has failed to read the state for some time. */
export function isOld(ageSeconds: number | null, intervalSeconds: number | null): boolean {
  if (ageSeconds === null || intervalSeconds === null) return false
  return ageSeconds > Math.min(OLD_INTERVALS * intervalSeconds, intervalSeconds + OLD_SECONDS)
}

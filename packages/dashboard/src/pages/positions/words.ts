import type { Position, PositionState } from '../../api/positions.ts'
import type { TagKind } from '../../parts/value/state.tsx'

/** Words for a state, and how it is drawn: what is normal is quiet, only trouble and what can be done now is tinted. */
interface StateWords {
  /** In the list, and among the choices. */
  readonly word: string
  /** Behind a number: `2 unexplained`. */
  readonly tag: string
  readonly look: TagKind | 'quiet' | 'pending' | 'off'
}

/** Each state, worst first, as the service orders them. */
export const STATES: Readonly<Record<PositionState, StateWords>> = {
  unexplained: { word: 'Unexplained', tag: 'unexplained', look: 'bad' },
  unread: { word: 'Not read yet', tag: 'not read yet', look: 'warn' },
  stale: { word: 'Read late', tag: 'read late', look: 'warn' },
  withdrawable: { word: 'Withdrawable', tag: 'withdrawable', look: 'accent' },
  leaving: { word: 'Leaving', tag: 'leaving', look: 'pending' },
  activating: { word: 'Activating', tag: 'activating', look: 'pending' },
  earning: { word: 'Earning', tag: 'earning', look: 'quiet' },
  empty: { word: 'Empty', tag: 'empty', look: 'off' },
}

/** Names of the states, worst first. */
export const STATE_NAMES = Object.keys(STATES) as readonly PositionState[]

/** Choices of the state, as the filter names them. */
export const STATE_CHOICES: readonly { readonly value: string; readonly label: string }[] = [
  { value: '', label: 'All states' },
  ...STATE_NAMES.map((value) => ({ value, label: STATES[value].word })),
]

/** Says what comes next for a position: a word, and the time that stands behind it. */
interface DueWords {
  readonly word: string
  /** True if the owner can do it now. */
  readonly isNow: boolean
  /** ISO-8601; null: now, or not known. */
  readonly at: string | null
}

/** Puts what is due next into words; null where nothing is. @param now milliseconds since 1970 */
export function dueOf({ next_due: due }: Pick<Position, 'next_due'>, now: number): DueWords | null {
  if (due === null) return null
  const isPast = due.at === null || Date.parse(due.at) <= now
  if (due.kind === 'withdrawable') return { word: isPast ? 'Withdraw' : 'Withdrawable', isNow: isPast, at: due.at }
  return { word: 'Leaves', isNow: false, at: isPast ? null : due.at }
}

/** Says how many of the last 30 days are known: `27 of 30 days`. A window of 30 days begins and ends within a day, so that it may touch one more. */
export function daysText(known: number): string {
  return `${Math.min(known, 30)} of 30 days`
}

/** Tells whether a row shows a slash: it comes before all states but one that says that something is not explained. */
export function showsSlash({ state, slashed_30d: slashed }: Pick<Position, 'state' | 'slashed_30d'>): boolean {
  return slashed && state !== 'unexplained'
}

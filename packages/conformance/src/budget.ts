import type { AnyProtocol } from '@svc/contract/host'
import type { Check } from './check.ts'
import type { Usage } from './upstream.ts'

/** Most of what a plugin may ask of its chain. */
export interface Budget {
  /** Waves of a craft: for every action, or by its name. @default 1, or 2 for an action with a `read` and without a `settle` */
  readonly craft?: number | Readonly<Record<string, number>>
  /** Upstream calls of a craft. @default no limit */
  readonly craftCalls?: number
  /** Waves of staking-balance. @default 1 */
  readonly balance?: number
  /** Upstream calls of prepare. @default 0 */
  readonly prepare?: number
}

/** Most waves of a craft: what the plugin's test says, else one, or two where facts of the chain shape the bytes. */
function craftWaves(budget: Budget, protocol: AnyProtocol, action: string): number {
  const waves = typeof budget.craft === 'object' ? budget.craft[action] : budget.craft
  if (waves !== undefined) return waves
  const declared = protocol.actions[action]
  return declared?.read && !declared.settle ? 2 : 1
}

/** Records whether a craft stayed within its budget. */
export function checkCraft(check: Check, budget: Budget, protocol: AnyProtocol, action: string, { calls, waves }: Usage): void {
  const most = craftWaves(budget, protocol, action)
  check.ok(waves <= most, `a craft of ${action} takes ${count(most, 'wave')} at most`, `${count(waves, 'wave')} in ${count(calls, 'call')}`)
  if (budget.craftCalls !== undefined)
    check.ok(calls <= budget.craftCalls, `a craft of ${action} makes ${count(budget.craftCalls, 'call')} at most`, count(calls, 'call'))
}

/** Writes a number with its noun: `1 wave`, `2 waves`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

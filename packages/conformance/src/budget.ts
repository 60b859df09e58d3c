import type { AnyProtocol } from '@svc/contract'
import type { Check } from './check.ts'
import type { Budget } from './options.ts'
import type { Usage } from './upstream.ts'

/** Most waves of a craft: what the plugin's test says, else one, or two where facts of the chain shape the bytes. */
export function craftWaves(budget: Budget, protocol: AnyProtocol, action: string): number {
  const given = typeof budget.craft === 'object' ? budget.craft[action] : budget.craft
  if (given !== undefined) return given
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

/** `1 wave`, `2 waves`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

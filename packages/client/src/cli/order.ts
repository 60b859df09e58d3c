import { type Intent, readInput } from '@svc/verify/intent'
import type { Members } from './files.ts'

/**
 * Reads a body of a request as JSON has it. Its amounts are numbers; as text each is exactly what was written.
 *
 * @throws Refused for what is no body of the action
 */
export function orderOf(intent: Intent, action: string, body: Members, decimals: number): Members {
  const shape = intent.actions[action]?.input ?? {}
  const textual = Object.entries(body).map(([name, value]) => {
    const isAmount = Object.hasOwn(shape, name) && shape[name]?.kind === 'amount'
    return [name, isAmount && typeof value === 'number' ? String(value) : value] as const
  })
  return readInput(shape, Object.fromEntries(textual), decimals)
}

import { type Intent, readInput } from '@svc/verify/intent'
import type { Members } from './files.ts'

/** Reads the body of a request from JSON. Amounts are numbers there; each is read as exactly the text that was written. @throws Refused for what is no body of the action */
export function orderOf(intent: Intent, action: string, body: Members, decimals: number): Members {
  const shape = intent.actions[action]?.input ?? {}
  const textual = Object.entries(body).map(([name, value]) => {
    const isAmount = Object.hasOwn(shape, name) && shape[name]?.kind === 'amount'
    return [name, isAmount && typeof value === 'number' ? String(value) : value] as const
  })
  return readInput(shape, Object.fromEntries(textual), decimals)
}

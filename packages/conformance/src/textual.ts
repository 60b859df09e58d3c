import type { Intent } from '@svc/verify/intent'

/** Makes a body in a caller's form: amounts as text, in which they are exact. */
export function textual(intent: Intent, action: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shape = intent.actions[action]?.input ?? {}
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, shape[name]?.kind === 'amount' ? JSON.stringify(value).replaceAll('"', '') : value]),
  )
}

import type { Intent } from '@svc/verify/intent'

/** A body as a caller gives it: amounts as text, in which they are exact. */
export function textual(intent: Intent, action: string, body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shape = intent.actions[action]?.input ?? {}
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, shape[name]?.kind === 'amount' ? JSON.stringify(value).replaceAll('"', '') : value]),
  )
}

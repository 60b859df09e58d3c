import type { Family, Intent } from '@svc/verify/intent'

/** An intent of a script, and the name under which a program imports it. */
interface NamedIntent {
  readonly name: string
  readonly intent: Intent
}

/** What a script brings. */
export interface Brought {
  readonly intents: readonly NamedIntent[]
  /** Families that say how they are inspected. */
  readonly families: readonly Family[]
}

/** Finds the intents and families among the exports of a script. @throws Error when there is no intent among them */
export function readExports(exported: unknown): Brought {
  const entries = Object.entries(Object(exported)) as readonly (readonly [name: string, value: unknown])[]
  const intents = entries.flatMap(([name, value]) => (isIntent(value) ? [{ name, intent: value }] : []))
  if (intents.length === 0) throw new Error('It exports no intent.')
  return { intents, families: entries.flatMap(([, value]) => (isFamily(value) ? [value] : [])) }
}

function isIntent(value: unknown): value is Intent {
  if (typeof value !== 'object' || value === null || !('family' in value && 'path' in value && 'actions' in value)) return false
  return typeof value.path === 'string' && typeof value.family === 'object' && typeof value.actions === 'object'
}

function isFamily(value: unknown): value is Family {
  if (typeof value !== 'object' || value === null || !('name' in value && 'inspected' in value)) return false
  return typeof value.name === 'string' && typeof value.inspected === 'object'
}

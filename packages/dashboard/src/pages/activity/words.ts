import type { AuditRecord, Outcome } from '../../api/audit.ts'
import { inShort, partsOf } from '../../text/sentence.ts'

/** Says what a record is about, in a few words, for a list: the sentence's deed, else the action, else the request. */
export function titleOf(record: AuditRecord): string {
  const { sentence, action, method, route, path, count, changes } = record
  if (sentence !== null) return inShort(partsOf(sentence).deed)
  const label = action === null ? null : (ACTIONS[action] ?? capital(action.replaceAll('-', ' ')))
  const title = label ?? (method === 'CLI' ? `svc ${route}` : `${method} ${path ?? route}`)
  const name = typeof changes === 'object' && changes !== null && 'name' in changes ? changes.name : null
  if (typeof name === 'string') return `${title} “${name}”`
  return count > 1 ? `${title}, ${count.toLocaleString('en')} times` : title
}

/** Tells whether a record has words of its own, and is not just a request. */
export function hasWords({ sentence, action }: Pick<AuditRecord, 'sentence' | 'action'>): boolean {
  return sentence !== null || action !== null
}

const ACTIONS: Readonly<Record<string, string>> = {
  'refuse-credential': 'Refused a credential',
  prepare: 'Prepare a transaction',
  broadcast: 'Broadcast a transaction',
  inspect: 'Inspect a transaction',
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Outcomes as the filter names them. */
export const OUTCOMES: readonly { readonly value: Outcome; readonly label: string }[] = [
  { value: 'ok', label: 'Succeeded' },
  { value: 'refused', label: 'Refused' },
  { value: 'failed', label: 'Failed' },
  { value: 'open', label: 'Not answered' },
]

/** Filters that are chosen in a field of their own, or by a click on what a record says, with their names for chips and for the panel. */
export const NAMES = {
  q: 'Search',
  protocol: 'Protocol',
  key: 'Key',
  outcome: 'Outcome',
  error: 'Code',
  network: 'Network',
  action: 'Action',
  wallet: 'Wallet',
  identity: 'Identity',
  target: 'Credential',
  transaction: 'Transaction',
  request_id: 'Request id',
} as const

/** Writes a duration as it is read: `0.4 ms`, `38 ms`, `1.20 s`. */
export function durationText(ms: number): string {
  if (ms >= 1000) return `${(ms / 1000).toFixed(2)} s`
  return ms < 1 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`
}

/** Names who asked: the key's name, else what is known of it. */
export function whoOf({ key, identity, by_operator }: AuditRecord): string {
  if (key) return key.name ?? `${key.ulid.slice(0, 8)}…`
  return by_operator ? (identity ?? 'operator') : 'nobody'
}

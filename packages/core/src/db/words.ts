import type { ProtocolPlugin } from '@svc/contract'
import { shortName } from '../base/short-name.ts'
import type { Outcome } from './request-counts.ts'
import type { AuditRecord } from './store.ts'

/**
 * Kind of a record of the audit log, in the words of Overview, Activity and the export alike:
 *
 * - `craft`: a request for an action of a protocol that makes a transaction. The outcome says whether the transaction was made.
 * - `prepare`, `broadcast`: what is done with a transaction that was crafted.
 * - `other`: another request to a protocol that has a name: it follows a transaction or a wallet, or inspects bytes.
 * - `read`: a request to a protocol that changes nothing.
 * - `unknown`: a request with an API key to a path that is not there.
 * - `credential`: requests with a credential that is not accepted.
 * - `service`: everything else, which is no request of a customer's to a protocol: keys, the reads of the dashboard, the command line, and what the
 *   service does by itself.
 *
 * All but the last are *requests*, and the figures of the overview count them, each as often as `count` says. A request is *refused* when it was
 * answered 4xx, by whatever part of the service, a rate limit too, and *failed* when it was answered 5xx.
 */
export type Kind = (typeof KINDS)[number]

/** Every kind, in the order in which the document lists them. */
export const KINDS = ['craft', 'prepare', 'broadcast', 'other', 'read', 'unknown', 'credential', 'service'] as const

/** Action of a record that counts refused credentials. */
export const REFUSE_CREDENTIAL = 'refuse-credential'
/** Route in the record of a request to a path that does not exist. */
export const NO_ROUTE = 'unknown'
/** Methods of records that are of no request: of the command line, and of what the service does by itself. */
const NO_METHODS: readonly string[] = ['CLI', 'LIFE']

/** Actions of protocols that make a transaction, each as `<short name> <action>`. */
export type Crafts = ReadonlySet<string>

/** Lists the actions that the protocols of plugins declare. */
export function craftsOf(plugins: readonly { readonly name: string; readonly plugin: Pick<ProtocolPlugin, 'protocol'> }[]): Crafts {
  return new Set(
    plugins.flatMap(({ name, plugin }) => Object.keys(plugin.protocol.actions).map((action) => craftName(shortName(name), action))),
  )
}

/** Returns the name by which `Crafts` lists an action. */
export function craftName(protocol: string, action: string): string {
  return `${protocol} ${action}`
}

/** Tells whether the overview counts a record. The triggers of both databases apply the same rule (migration `counted`), and a test over random records compares them. */
export function isRequest({ protocol, action, route, method }: Pick<AuditRecord, 'protocol' | 'action' | 'route' | 'method'>): boolean {
  if (action === REFUSE_CREDENTIAL) return true
  return (protocol !== null || route === NO_ROUTE) && !NO_METHODS.includes(method)
}

/** Returns the kind of a record. @param crafts of the protocols that are installed */
export function kindOf(record: Pick<AuditRecord, 'protocol' | 'action' | 'route' | 'method'>, crafts: Crafts): Kind {
  const { protocol, action } = record
  if (!isRequest(record)) return 'service'
  if (action === REFUSE_CREDENTIAL) return 'credential'
  if (protocol === null) return 'unknown'
  if (action === null) return 'read'
  if (action === 'prepare' || action === 'broadcast') return action
  return crafts.has(craftName(protocol, action)) ? 'craft' : 'other'
}

/** Returns the outcome of a request for its status. */
export function outcomeOf(status: number): Outcome {
  if (status === 0) return 'open'
  return status < 400 ? 'ok' : status < 500 ? 'refused' : 'failed'
}

import type { SQL } from 'drizzle-orm'
import { decodeTime, isValid } from 'ulid'
import { AUDIT_COLUMNS } from './audit-row.ts'
import { COMMAND_LINE, OPERATOR_ONLY } from './audit-shown.ts'
import type { AuditPlace } from './cursor.ts'
import { core } from './drizzle.ts'
import type { Outcome } from './request-counts.ts'
import type { AuditFilter, AuditRecord } from './store.ts'
import { NO_ROUTE } from './words.ts'
import type { WorkDatabase } from './work.ts'

const { and, sql } = core()

/** Columns of the audit log by their members. */
export type AuditTable = Readonly<Record<keyof AuditRecord, SQL>>

/** Names the columns of the audit log. @param table its own name, or another one that a statement gives it */
export function auditNames(table: 'svc_audit' | 'newer'): AuditTable {
  return Object.fromEntries(AUDIT_COLUMNS.map(([column, member]) => [member, sql.raw(`${table}.${column}`)])) as unknown as AuditTable
}

/** How a database writes a time. */
type Times = Pick<WorkDatabase, 'at'>

/** Condition of a filter, in two parts: an index reads the records of the first part in their order, and the second part tells these records apart. */
interface Passing {
  readonly scope: SQL | undefined
  /** undefined: the first part is all. */
  readonly rest: SQL | undefined
}

/** Members of a filter that say the same as an index, the most telling first. */
const LEADING = ['transaction', 'wallet', 'target', 'key', 'identity', 'error', 'account'] as const
const STATUS: Readonly<Record<Outcome, readonly [from: number, below: number]>> = {
  open: [0, 1],
  ok: [1, 400],
  refused: [400, 500],
  failed: [500, 1000],
}

/** Writes a filter of the audit log as SQL conditions. @param aside keeps a condition on a column from choosing the index, where the database has to be told */
export function passing(audit: AuditTable, filter: AuditFilter, { at }: Times, aside: (column: SQL) => SQL = (column) => column): Passing {
  const members = conditionsOf(filter)
  const soon = filter.requestId === undefined ? undefined : aroundRequest(filter.requestId)
  const leading = LEADING.find((name) => members[name] !== undefined)
  const rest = Object.entries(members).flatMap(([name, condition]) =>
    condition === undefined || name === leading ? [] : [condition(audit, aside)],
  )
  const time = [
    filter.from === undefined ? undefined : sql`${audit.time} >= ${at(filter.from)}`,
    filter.to === undefined ? undefined : sql`${audit.time} < ${at(filter.to)}`,
    soon && sql`${audit.time} >= ${at(soon.from)} and ${audit.time} < ${at(soon.to)}`,
  ]
  return {
    scope: and(leading === undefined ? undefined : members[leading]?.(audit, (column) => column), ...time),
    rest: and(...rest),
  }
}

/** Writes the condition for records older than a place. Both databases compare `(time, id)` as rows, and so begin in the middle of an index. */
export function olderThan(audit: AuditTable, place: AuditPlace | undefined, { at }: Times): SQL | undefined {
  return place && sql`(${audit.time}, ${audit.id}) < (${at(place.time)}, ${place.id})`
}

/** Writes the condition for the record at a place, and newer ones. */
export function notOlderThan(audit: AuditTable, place: AuditPlace | undefined, { at }: Times): SQL | undefined {
  return place && sql`(${audit.time}, ${audit.id}) >= (${at(place.time)}, ${place.id})`
}

/** Writes the condition that no newer record of the same transaction passes the filter. @param newer the same table under the name `newer` */
export function newestOfIts(audit: AuditTable, newer: AuditTable, filter: AuditFilter, times: Times): SQL {
  const { scope, rest } = passing(newer, filter, times)
  const same = and(
    sql`${newer.unsignedHash} = ${audit.unsignedHash}`,
    sql`${newer.account} = ${audit.account}`,
    sql`(${newer.time}, ${newer.id}) > (${audit.time}, ${audit.id})`,
    scope,
    rest,
  )
  return sql`not exists (select 1 from svc_audit as newer where ${same})`
}

type Condition = (audit: AuditTable, aside: (column: SQL) => SQL) => SQL

function conditionsOf(filter: AuditFilter) {
  const equal =
    (name: 'account' | 'identity' | 'action' | 'protocol' | 'network' | 'error' | 'requestId' | 'target') =>
    (value: string): Condition =>
    (audit, aside) =>
      sql`${aside(audit[name])} = ${value}`
  const optional = <T>(value: T | undefined, condition: (value: T) => Condition) => (value === undefined ? undefined : condition(value))
  const members = {
    transaction: optional(filter.transaction, ofTransaction),
    requestId: optional(filter.requestId, equal('requestId')),
    wallet: optional(filter.wallet, ofWallet),
    target: optional(filter.target, equal('target')),
    key: optional(filter.key, ofKeys),
    identity: optional(filter.identity, equal('identity')),
    error: optional(filter.error, equal('error')),
    account: optional(filter.account, equal('account')),
    protocol: optional(filter.protocol, equal('protocol')),
    network: optional(filter.network, equal('network')),
    action: optional(filter.action, equal('action')),
    outcome: optional(filter.outcome, ended),
    text: optional(filter.text, saying),
    reads: filter.reads === false ? acting : undefined,
  }
  // What a record does not show to this viewer, no filter on it finds: else its absence would tell the value.
  const hidden =
    filter.viewer === 'account' && OPERATOR_ONLY.some((name) => name in members && members[name as keyof typeof members] !== undefined)
  return { ...members, viewer: hidden ? notByOperator : undefined }
}

const notByOperator: Condition = (audit, aside) => sql`(${aside(audit.actor)} is null and ${aside(audit.method)} <> ${COMMAND_LINE})`

/** A record is of the time in which its request was answered; nobody waits longer than this for an answer, in milliseconds. */
const ANSWERED_MS = 600_000
/** Clocks of a service's replicas differ by less, in milliseconds. */
const SKEW_MS = 60_000

/** Computes the times around a request from its id, so that no index is needed for it. @returns undefined for an id of another form */
function aroundRequest(id: string): { readonly from: Date; readonly to: Date } | undefined {
  if (!isValid(id)) return undefined
  const at = decodeTime(id)
  return { from: new Date(at - SKEW_MS), to: new Date(at + ANSWERED_MS) }
}

/** Makes the condition for the records of a transaction, by two indexes, by which few are found; families write hashes in one case or the other. */
function ofTransaction(hash: string): Condition {
  const forms = sql.join(
    [...new Set([hash, hash.toLowerCase(), hash.toUpperCase()])].map((form) => sql`${form}`),
    sql`, `,
  )
  return ({ id }) =>
    sql`${id} in (select id from svc_audit where tx_hash in (${forms}) union select id from svc_audit where unsigned_hash in (${forms}))`
}

function ofKeys(key: string | readonly string[]): Condition {
  const keys = typeof key === 'string' ? [key] : key
  const list = sql.join(
    keys.map((each) => sql`${each}`),
    sql`, `,
  )
  return (audit, aside) => (keys.length === 1 ? sql`${aside(audit.key)} = ${keys[0]}` : sql`${aside(audit.key)} in (${list})`)
}

/** Makes the condition for the records of a wallet. The index is over the lower case, and over records with a wallet. */
function ofWallet(wallet: string): Condition {
  return (audit) => sql`lower(${audit.wallet}) = ${wallet.toLowerCase()} and ${audit.wallet} is not null`
}

function ended(outcome: Outcome): Condition {
  const [from, below] = STATUS[outcome]
  return (audit, aside) => sql`(${aside(audit.status)} >= ${from} and ${aside(audit.status)} < ${below})`
}

/**
 * A read has no action; what a request of a customer was refused for is worth a look all the same, and that the dashboard's own reads were is not. Every
 * index over time has the first columns.
 */
const acting: Condition = (audit, aside) => {
  const unwell = sql`(${aside(audit.status)} >= ${STATUS.refused[0]} or ${aside(audit.status)} < ${STATUS.ok[0]})`
  const clause = sql`(${aside(audit.protocol)} is not null or ${audit.route} = ${NO_ROUTE} or ${audit.method} <> 'GET')`
  return sql`(${aside(audit.action)} is not null or (${unwell} and ${clause}))`
}

/** Matches a text. A record without an action has no sentence; a request that was done has no reason and no path: the index tells this by itself. */
function saying(part: string): Condition {
  const pattern = `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const says = (column: SQL) => sql`lower(${column}) like ${pattern} escape '\\'`
  return (audit, aside) =>
    sql`((${aside(audit.action)} is not null and ${says(audit.sentence)}) or (${aside(audit.status)} >= ${STATUS.refused[0]} and (${says(audit.reason)} or ${says(audit.path)})))`
}

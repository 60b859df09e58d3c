import type { Column, SQL } from 'drizzle-orm'
import { decodeTime, isValid } from 'ulid'
import type { ColumnsOf } from './conditions.ts'
import type { AuditPlace } from './cursor.ts'
import { core } from './drizzle.ts'
import type { AuditFilter, AuditRecord, Outcome } from './store.ts'

const { and, eq, gte, lt, sql } = core()

/** The table of the audit log in either database, under its own name or another one. */
export type AuditTable = ColumnsOf<AuditRecord>

/** What a filter lets through, in two parts: of the first an index reads the records in their order, by the second they are told apart. */
export interface Passing {
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

/**
 * @param aside keeps a condition on a column from choosing the index, where the database has to be told
 */
export function passing(audit: AuditTable, filter: AuditFilter, aside: (column: Column) => SQL = (column) => sql`${column}`): Passing {
  const members = conditionsOf(filter)
  const soon = filter.requestId === undefined ? undefined : aroundRequest(filter.requestId)
  const leading = LEADING.find((name) => members[name] !== undefined)
  const rest = Object.entries(members).flatMap(([name, condition]) =>
    condition === undefined || name === leading ? [] : [condition(audit, aside)],
  )
  const time = [
    filter.from === undefined ? undefined : gte(audit.time, filter.from),
    filter.to === undefined ? undefined : lt(audit.time, filter.to),
    soon && and(gte(audit.time, soon.from), lt(audit.time, soon.to)),
  ]
  return {
    scope: and(leading === undefined ? undefined : members[leading]?.(audit, (column) => sql`${column}`), ...time),
    rest: and(...rest),
  }
}

/** Records that are older than a place. Both databases compare `(time, id)` as rows, and so begin in the middle of an index. */
export function olderThan(audit: AuditTable, place: AuditPlace | undefined): SQL | undefined {
  return place && sql`(${audit.time}, ${audit.id}) < (${sql.param(place.time, audit.time)}, ${place.id})`
}

/** The record at a place, and newer ones. */
export function notOlderThan(audit: AuditTable, place: AuditPlace | undefined): SQL | undefined {
  return place && sql`(${audit.time}, ${audit.id}) >= (${sql.param(place.time, audit.time)}, ${place.id})`
}

/**
 * That no newer record of the same transaction passes.
 *
 * @param newer the same table under the name `newer`
 */
export function newestOfIts(audit: AuditTable, newer: AuditTable, filter: AuditFilter): SQL {
  const { scope, rest } = passing(newer, filter)
  const same = and(
    sql`${newer.unsignedHash} = ${audit.unsignedHash}`,
    sql`${newer.account} = ${audit.account}`,
    sql`(${newer.time}, ${newer.id}) > (${audit.time}, ${audit.id})`,
    scope,
    rest,
  )
  return sql`not exists (select 1 from svc_audit as newer where ${same})`
}

type Condition = (audit: AuditTable, aside: (column: Column) => SQL) => SQL

function conditionsOf(filter: AuditFilter) {
  const equal =
    (name: 'account' | 'key' | 'identity' | 'action' | 'protocol' | 'network' | 'error' | 'requestId' | 'target') =>
    (value: string): Condition =>
    (audit, aside) =>
      sql`${aside(audit[name])} = ${value}`
  const given = <T>(value: T | undefined, condition: (value: T) => Condition) => (value === undefined ? undefined : condition(value))
  return {
    transaction: given(filter.transaction, ofTransaction),
    requestId: given(filter.requestId, equal('requestId')),
    wallet: given(filter.wallet, ofWallet),
    target: given(filter.target, equal('target')),
    key: given(filter.key, equal('key')),
    identity: given(filter.identity, equal('identity')),
    error: given(filter.error, equal('error')),
    account: given(filter.account, equal('account')),
    protocol: given(filter.protocol, equal('protocol')),
    network: given(filter.network, equal('network')),
    action: given(filter.action, equal('action')),
    outcome: given(filter.outcome, ended),
    text: given(filter.text, saying),
    reads: filter.reads === false ? acting : undefined,
  }
}

/** A record is of the time in which its request was answered; nobody waits longer than this for an answer, in milliseconds. */
const ANSWERED_MS = 600_000
/** Clocks of a service's replicas differ by less, in milliseconds. */
const SKEW_MS = 60_000

/** A request's id says when it came, so that no index is needed for it. @returns undefined for an id of another form */
function aroundRequest(id: string): { readonly from: Date; readonly to: Date } | undefined {
  if (!isValid(id)) return undefined
  const at = decodeTime(id)
  return { from: new Date(at - SKEW_MS), to: new Date(at + ANSWERED_MS) }
}

/** Two indexes, by which few are found; families write hashes in one case or the other. */
function ofTransaction(hash: string): Condition {
  const forms = sql.join(
    [...new Set([hash, hash.toLowerCase(), hash.toUpperCase()])].map((form) => sql`${form}`),
    sql`, `,
  )
  return ({ id }) =>
    sql`${id} in (select id from svc_audit where tx_hash in (${forms}) union select id from svc_audit where unsigned_hash in (${forms}))`
}

/** The index is over the lower case, and over records with a wallet. */
function ofWallet(wallet: string): Condition {
  return (audit) => sql`lower(${audit.wallet}) = ${wallet.toLowerCase()} and ${audit.wallet} is not null`
}

function ended(outcome: Outcome): Condition {
  const [from, below] = STATUS[outcome]
  return (audit, aside) => and(sql`${aside(audit.status)} >= ${from}`, sql`${aside(audit.status)} < ${below}`) ?? eq(audit.status, from)
}

/** A read has no action; what it was refused for is worth a look all the same. Every index over time has both columns. */
const acting: Condition = (audit, aside) =>
  sql`(${aside(audit.action)} is not null or ${aside(audit.status)} >= ${STATUS.refused[0]} or ${aside(audit.status)} < ${STATUS.ok[0]})`

/** What has no action has no sentence, and the index says so without the record. */
function saying(part: string): Condition {
  const pattern = `%${part.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return (audit, aside) => sql`${aside(audit.action)} is not null and lower(${audit.sentence}) like ${pattern} escape '\\'`
}

import { storableText } from './json.ts'
import type { AuditRecord } from './store.ts'
import { type Row, timeOf } from './work.ts'

/** Column and member, in the order of the table. */
export const AUDIT_COLUMNS = [
  ['id', 'id'],
  ['rev', 'rev'],
  ['time', 'time'],
  ['account', 'account'],
  ['key', 'key'],
  ['address', 'address'],
  ['identity', 'identity'],
  ['method', 'method'],
  ['route', 'route'],
  ['network', 'network'],
  ['status', 'status'],
  ['count', 'count'],
  ['duration_ms', 'durationMs'],
  ['request_id', 'requestId'],
  ['action', 'action'],
  ['effects', 'effects'],
  ['target', 'target'],
  ['changes', 'changes'],
  ['unsigned_hash', 'unsignedHash'],
  ['tx_hash', 'txHash'],
  ['error', 'error'],
  ['protocol', 'protocol'],
  ['wallet', 'wallet'],
  ['sentence', 'sentence'],
  ['moves', 'moves'],
  ['actor', 'actor'],
  ['asked', 'asked'],
  ['reason', 'reason'],
  ['path', 'path'],
] as const satisfies readonly (readonly [column: string, member: keyof AuditRecord])[]

const NAMES = AUDIT_COLUMNS.map(([name]) => `"${name}"`).join(', ')
const REPLACED = AUDIT_COLUMNS.filter(([name]) => name !== 'id').map(([name]) => `"${name}" = excluded."${name}"`)

/**
 * Writes the statement that inserts a record, or replaces one of a lower revision, in both databases, so that writes may arrive in any order, late, or twice.
 *
 * @param source what follows the names: `values (…)` or `select …`
 */
export function auditUpsert(source: (names: string) => string): string {
  return `insert into svc_audit (${NAMES}) ${source(NAMES)}
    on conflict (id) do update set ${REPLACED.join(', ')} where excluded."rev" > svc_audit."rev"`
}

/**
 * Prepares a record for both databases. A value that cannot be stored (a NUL character, half a surrogate pair, a duration that is no number) is mended rather than refused,
 * since the recorded event has already happened.
 */
export function auditRow(record: AuditRecord): AuditRecord {
  return {
    id: storableText(record.id),
    rev: whole(record.rev),
    time: record.time,
    account: storableText(record.account),
    key: storableText(record.key),
    address: optional(record.address),
    identity: optional(record.identity),
    method: storableText(record.method),
    route: storableText(record.route),
    network: optional(record.network),
    status: whole(record.status),
    count: whole(record.count),
    durationMs: Number.isFinite(record.durationMs) ? record.durationMs : 0,
    requestId: storableText(record.requestId),
    action: optional(record.action),
    effects: record.effects ?? null,
    target: optional(record.target),
    changes: record.changes ?? null,
    unsignedHash: optional(record.unsignedHash),
    txHash: optional(record.txHash),
    error: optional(record.error),
    protocol: optional(record.protocol),
    wallet: optional(record.wallet),
    sentence: optional(record.sentence),
    moves: record.moves ?? null,
    actor: record.actor ?? null,
    asked: record.asked ?? null,
    reason: optional(record.reason),
    path: optional(record.path),
  }
}

function whole(number: number): number {
  return Number.isFinite(number) ? Math.trunc(number) : 0
}

function optional(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storableText(text)
}

/** Members that are JSON: PostgreSQL reads them, and SQLite gives their text. */
const JSON_MEMBERS: ReadonlySet<string> = new Set<keyof AuditRecord>(['effects', 'changes', 'moves', 'asked'])

/** Reads a row of the audit log. */
export function recordOf(row: Row): AuditRecord {
  const members = AUDIT_COLUMNS.map(([column, member]) => {
    const value = row[column]
    if (member === 'time') return [member, timeOf(value)]
    return [member, JSON_MEMBERS.has(member) && typeof value === 'string' ? JSON.parse(value) : value]
  })
  return Object.fromEntries(members) as AuditRecord
}

import { storableText } from './json.ts'
import type { AuditRecord } from './store.ts'

/**
 * The record as both databases take it. What cannot be stored as it is (a NUL character, half a surrogate pair, a duration
 * that is no number) is mended rather than refused: the record is about something that has happened already.
 */
export function auditRow(record: AuditRecord): AuditRecord {
  return {
    id: storableText(record.id),
    time: record.time,
    account: storableText(record.account),
    key: storableText(record.key),
    identity: optional(record.identity),
    method: storableText(record.method),
    route: storableText(record.route),
    network: optional(record.network),
    status: Number.isFinite(record.status) ? Math.trunc(record.status) : 0,
    durationMs: Number.isFinite(record.durationMs) ? record.durationMs : 0,
    requestId: storableText(record.requestId),
    action: optional(record.action),
    effects: record.effects ?? null,
    txHash: optional(record.txHash),
    error: optional(record.error),
  }
}

function optional(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : storableText(text)
}

import { auditRow } from './audit-row.ts'
import type { AuditRecord } from './store.ts'

type Row = AuditRecord

/** Column, its type on the wire, and what is sent. */
const COLUMNS: readonly (readonly [name: string, type: string, value: (row: Row) => string | number | null])[] = [
  ['id', 'text', (row) => row.id],
  ['time', 'timestamptz', (row) => row.time.toISOString()],
  ['account', 'text', (row) => row.account],
  ['key', 'text', (row) => row.key],
  ['identity', 'text', (row) => row.identity],
  ['method', 'text', (row) => row.method],
  ['route', 'text', (row) => row.route],
  ['network', 'text', (row) => row.network],
  ['status', 'integer', (row) => row.status],
  ['duration_ms', 'double precision', (row) => row.durationMs],
  ['request_id', 'text', (row) => row.requestId],
  ['action', 'text', (row) => row.action],
  ['effects', 'jsonb', (row) => (row.effects === null ? null : JSON.stringify(row.effects))],
  ['tx_hash', 'text', (row) => row.txHash],
  ['error', 'text', (row) => row.error],
]

const NAMES = COLUMNS.map(([name]) => `"${name}"`).join(', ')
const ARRAYS = COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ')
const TEXT = `insert into svc_audit (${NAMES}) select * from unnest(${ARRAYS}) as batch (${NAMES}) on conflict (id) do nothing`

/**
 * Inserts a whole batch in one statement with one array per column: 2–6 µs of our time per row, where a multi-row insert
 * with a parameter per value takes 36.
 */
export function appendStatement(records: readonly AuditRecord[]): { text: string; values: unknown[] } {
  const rows = records.map(auditRow)
  return { text: TEXT, values: COLUMNS.map(([, , value]) => rows.map(value)) }
}

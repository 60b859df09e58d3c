import type { FileRecord } from './audit-record.ts'

/** Forms of a file of records. */
export type Format = 'csv' | 'jsonl'

export const MEDIA: Readonly<Record<Format, string>> = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl' }

/** Columns of a spreadsheet, in this order. */
const COLUMNS = [
  'id',
  'time',
  'account',
  'key',
  'key_name',
  'by_operator',
  'address',
  'identity',
  'method',
  'route',
  'protocol',
  'network',
  'status',
  'outcome',
  'count',
  'duration_ms',
  'request_id',
  'action',
  'sentence',
  'moves',
  'wallet',
  'unsigned_hash',
  'tx_hash',
  'error',
  'target',
  'changes',
] as const

/** What stands before the first record. */
export function headOf(format: Format): string {
  return format === 'csv' ? `${COLUMNS.join(',')}\r\n` : ''
}

/** One record as one line; of CSV, as RFC 4180 has it. @see https://www.rfc-editor.org/rfc/rfc4180 (read 2026-11-22) */
export function lineOf(format: Format, record: FileRecord): string {
  if (format === 'jsonl') return `${JSON.stringify(record)}\n`
  const { key, error, moves, changes } = record
  const flat: Readonly<Record<(typeof COLUMNS)[number], unknown>> = {
    ...record,
    key: key?.ulid,
    key_name: key?.name,
    error: error?.code,
    moves: moves && JSON.stringify(moves),
    changes: changes && JSON.stringify(changes),
  }
  return `${COLUMNS.map((name) => cell(flat[name])).join(',')}\r\n`
}

/**
 * What a spreadsheet would take for a formula, a caller may have written: it gets an apostrophe in front.
 *
 * @see https://owasp.org/www-community/attacks/CSV_Injection (read 2026-11-22)
 */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

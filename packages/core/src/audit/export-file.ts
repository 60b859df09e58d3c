import { csvLine } from '../base/csv.ts'
import type { FileRecord } from './wire.ts'

/** Forms of a file of records. */
type Format = 'csv' | 'jsonl'

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
  'kind',
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
  'error_sentence',
  'asked',
  'path',
  'target',
  'changes',
] as const

/** Returns the text before the first record. */
export function headOf(format: Format): string {
  return format === 'csv' ? csvLine(COLUMNS) : ''
}

/** Writes one record as one line; CSV follows RFC 4180. @see https://www.rfc-editor.org/rfc/rfc4180 (read 2026-11-22) */
export function lineOf(format: Format, record: FileRecord): string {
  if (format === 'jsonl') return `${JSON.stringify(record)}\n`
  const { key, error, moves, changes, asked: input } = record
  const flat: Readonly<Record<(typeof COLUMNS)[number], unknown>> = {
    ...record,
    key: key?.ulid,
    key_name: key?.name,
    error: error?.code,
    error_sentence: error?.sentence,
    asked: input && JSON.stringify(input),
    moves: moves && JSON.stringify(moves),
    changes: changes && JSON.stringify(changes),
  }
  return csvLine(COLUMNS.map((name) => flat[name]))
}

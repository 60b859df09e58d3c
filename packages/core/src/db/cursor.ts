import { badRequest } from '../base/codes.ts'
import type { AuditPage, AuditRecord } from './store.ts'

/** A place in the audit log, which is ordered by time, then by id. */
export interface AuditPlace {
  readonly time: Date
  readonly id: string
}

/** Reads the place of an audit record from a cursor. @throws 400 `INVALID_CURSOR` */
export function readCursor(text: string): AuditPlace {
  const [, time, id] = /^(\d{1,15})-([0-9A-Z]{1,64})$/.exec(text) ?? []
  if (id === undefined) {
    throw badRequest(
      'INVALID_CURSOR',
      `"${text.slice(0, 80)}" is not a cursor of the audit log; take the one that came with the page before.`,
    )
  }
  return { time: new Date(Number(time)), id }
}

/** Writes the cursor of a place, behind which the older records follow. */
export function cursorOf({ time, id }: AuditPlace): string {
  return `${time.getTime()}-${id}`
}

/** Makes a page of audit records, with the cursor of the next page. @param rows one more than `limit` when there is more to come */
export function toPage(rows: readonly AuditRecord[], limit: number): AuditPage {
  const records = rows.slice(0, limit)
  const last = records.at(-1)
  return { records, next: last && rows.length > limit ? cursorOf(last) : null }
}

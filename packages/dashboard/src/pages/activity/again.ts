import type { AuditRecord } from '../../api/audit.ts'
import { partsOf } from '../../text/sentence.ts'

/** Which of several equal transactions in a row it is. */
export interface Again {
  /** 2 for the second; the first has no mark. */
  readonly nth: number
  /** How many there are in a row. */
  readonly of: number
}

/**
 * Finds transactions of one wallet that do the same, one after the other. They are marked and not folded into one row: each can land by itself, and has come as far as
 * it has, so that a row for all of them would hide what may still be paid.
 *
 * @param rows newest first
 * @returns marks by the record's id, for all but the first of each
 */
export function againOf(rows: readonly AuditRecord[]): ReadonlyMap<string, Again> {
  const marks = new Map<string, Again>()
  let from = 0
  for (let end = 1; end <= rows.length; end++) {
    const deed = deedOf(rows[from])
    if (end < rows.length && deed !== null && deedOf(rows[end]) === deed) continue
    const of = end - from
    for (const [place, { id }] of rows.slice(from, end - 1).entries()) marks.set(id, { nth: of - place, of })
    from = end
  }
  return marks
}

/** Writes the place of a record among its equals: `3rd of 6`. */
export function againText({ nth, of }: Again): string {
  const [tens, ones] = [Math.floor(nth / 10) % 10, nth % 10]
  const ending = tens === 1 ? 'th' : (['th', 'st', 'nd', 'rd'][ones] ?? 'th')
  return `${nth}${ending} of ${of}`
}

/** Whose it is and what it does; null for what is no transaction, or was refused. */
function deedOf(record: AuditRecord | undefined): string | null {
  if (record === undefined) return null
  const { account, protocol, network, wallet, sentence, unsigned_hash } = record
  if (sentence === null || unsigned_hash === null) return null
  return [account, protocol, network, wallet, partsOf(sentence).deed].join('\n')
}

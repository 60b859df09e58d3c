import { badRequest } from '../base/codes.ts'

/** ISO-8601 as RFC 3339 profiles it, or a calendar day, which ends at its first moment in UTC. */
const FORM = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/i

/**
 * Reads the expiration date of a credential, from which it is no longer accepted.
 *
 * @returns null when there is none
 * @throws 400 `INVALID_EXPIRATION_DATE` for what is no date, leaves its zone open, or is not in the future
 */
export function readExpirationDate(value: Date | string | null | undefined, now: Date): Date | null {
  if (value === undefined || value === null) return null
  const date = value instanceof Date ? value : parse(value)
  const example = 'it must be like 2030-12-31T23:59:59Z'
  if (date === null || Number.isNaN(date.getTime()) || date.getTime() > Date.UTC(10_000, 0)) {
    throw badRequest('INVALID_EXPIRATION_DATE', `The expirationDate ${JSON.stringify(value).slice(0, 60)} is no ISO-8601 date; ${example}.`)
  }
  if (date <= now) {
    const [text, current] = [date.toISOString(), now.toISOString()]
    throw badRequest(
      'INVALID_EXPIRATION_DATE',
      `The expirationDate ${text} is not in the future (it is ${current} now); to stop a key, set active to false.`,
    )
  }
  return date
}

function parse(text: unknown): Date | null {
  if (typeof text !== 'string' || text.length > 40) return null
  const match = FORM.exec(text)
  if (!match) return null
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  // A day that the month has not would silently become one of the next month.
  if (month < 1 || month > 12 || day < 1 || day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null
  return new Date(text.toUpperCase())
}

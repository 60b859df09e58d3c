import { isServiceError, membersOf, type ServiceError } from '@svc/contract'
import { unavailable } from '../base/codes.ts'

/**
 * Tells whether the database refused the data itself, so that sending the same data again is useless: SQLSTATE classes 22 (data exception) and 23 (integrity), SQLite's
 * constraint and type errors, and values that never reached the database.
 *
 * @see https://www.postgresql.org/docs/15/errcodes-appendix.html (read 2026-11-21)
 * @see https://www.sqlite.org/rescode.html (read 2026-11-21)
 */
export function isDataFault(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = membersOf(cause).code
    if (typeof code === 'string' && /^(2[23]\w{3}$|SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE))/.test(code)) return true
    if (cause instanceof RangeError) return true
  }
  return false
}

/** Converts the error of a failed database call into the one for callers: a 503, unless the data or the request was at fault. */
export function databaseFault(error: unknown): unknown {
  if (isServiceError(error) || isDataFault(error)) return error
  return databaseUnavailable(error)
}

/** Makes the 503 `DATABASE_UNAVAILABLE`. */
export function databaseUnavailable(cause: unknown): ServiceError {
  return unavailable(
    'DATABASE_UNAVAILABLE',
    'The database of this service does not answer at the moment; try again in a few seconds.',
    5,
    cause,
  )
}

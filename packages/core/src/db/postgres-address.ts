import { membersOf } from '@svc/contract'
import pg from 'pg'
import { unavailable } from '../base/codes.ts'

/**
 * Makes a client for the address of a PostgreSQL, with the certificate files that it names, without connecting.
 *
 * @throws 503 `DATABASE_UNREACHABLE` that says which file cannot be read, or what an address looks like, and never shows the address, which has a password
 */
export function clientOf(config: pg.ClientConfig): pg.Client {
  try {
    return new pg.Client(config)
  } catch (error) {
    const { path, code } = membersOf(error)
    const why =
      typeof path === 'string' && typeof code === 'string'
        ? `The address of the database names the file ${path}, which cannot be read: ${code}.`
        : 'The address of the database cannot be read; it should look like postgres://user@host:5432/name.'
    // Without the cause, which may show all of it.
    throw unavailable('DATABASE_UNREACHABLE', why, 60)
  }
}

import type { Column, SQL } from 'drizzle-orm'
import { readCursor } from './cursor.ts'
import { core } from './drizzle.ts'
import type { AuditFilter, AuditRecord, Credential, CredentialPage, CredentialScope } from './store.ts'

const { and, eq, gt, gte, lt, or, sql } = core()

/** A table of either database, as far as a condition names its columns; each column brings its own way to bind a value. */
type ColumnsOf<Row> = { readonly [Member in keyof Row]: Column }

interface CredentialRange extends Pick<CredentialScope, 'kind'>, Pick<Partial<CredentialPage>, 'after'> {
  readonly account: string | null
}

/**
 * The audit records that a filter lets through. Both databases compare `(time, id)` as rows, and so read a page from the index.
 *
 * @returns undefined when the filter restricts nothing
 * @throws 400 `INVALID_CURSOR`
 */
export function passing(audit: ColumnsOf<AuditRecord>, filter: AuditFilter): SQL | undefined {
  const place = filter.before === undefined ? undefined : readCursor(filter.before)
  return and(
    filter.account === undefined ? undefined : eq(audit.account, filter.account),
    filter.key === undefined ? undefined : eq(audit.key, filter.key),
    filter.identity === undefined ? undefined : eq(audit.identity, filter.identity),
    filter.action === undefined ? undefined : eq(audit.action, filter.action),
    filter.target === undefined ? undefined : eq(audit.target, filter.target),
    filter.transaction === undefined ? undefined : or(eq(audit.txHash, filter.transaction), eq(audit.unsignedHash, filter.transaction)),
    filter.from === undefined ? undefined : gte(audit.time, filter.from),
    filter.to === undefined ? undefined : lt(audit.time, filter.to),
    place && sql`(${audit.time}, ${audit.id}) < (${sql.param(place.time, audit.time)}, ${place.id})`,
  )
}

/** One credential, within what the caller may see. */
export function within(credentials: ColumnsOf<Credential>, scope: CredentialScope): SQL | undefined {
  return and(eq(credentials.ulid, scope.ulid), ofAccount(credentials, scope))
}

/** The credentials of one kind that an account has, or all accounts (`null`); those after a ULID, if one is given. */
export function ofAccount(credentials: ColumnsOf<Credential>, { account, kind, after }: CredentialRange): SQL | undefined {
  return and(
    account === null ? undefined : eq(credentials.account, account),
    eq(credentials.kind, kind),
    after === undefined ? undefined : gt(credentials.ulid, after),
  )
}

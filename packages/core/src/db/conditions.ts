import type { Column, SQL } from 'drizzle-orm'
import { core } from './drizzle.ts'
import type { Credential, CredentialPage, CredentialScope } from './store.ts'

const { and, eq, gt, isNull, lt, or } = core()

/** A table of either database, as far as a condition names its columns; each column brings its own way to bind a value. */
export type ColumnsOf<Row> = { readonly [Member in keyof Row]: Column }

interface CredentialRange extends Pick<CredentialScope, 'kind'>, Pick<Partial<CredentialPage>, 'after'> {
  readonly account: string | null
}

/** The one credential that a scope names: its ULID, its kind, and the account, where the caller may see one account only. */
export function ofScope(credentials: ColumnsOf<Credential>, scope: CredentialScope): SQL | undefined {
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

/** The API keys of an account, or of all, that are accepted at a time; those of them that expire before another, if one is given. */
export function accepted(credentials: ColumnsOf<Credential>, account: string | null, now: Date, until?: Date): SQL | undefined {
  const { kind, active, expirationDate } = credentials
  return and(
    eq(kind, 'key'),
    account === null ? undefined : eq(credentials.account, account),
    eq(active, true),
    until === undefined ? or(isNull(expirationDate), gt(expirationDate, now)) : and(gt(expirationDate, now), lt(expirationDate, until)),
  )
}

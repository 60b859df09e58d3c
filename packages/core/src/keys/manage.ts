import { badRequest, notFound, serviceError } from '../base/codes.ts'
import { isReadable, isReadableText, quoted } from '../base/readable-text.ts'
import { type Hasher, hasher as processHasher } from '../credentials/hash.ts'
import { mintValue, type Peppers, pepperFingerprint } from '../credentials/value.ts'
import { type Credential, type CredentialChanges, type CredentialKind, type CredentialScope, NO_ACCOUNT, type Store } from '../db/store.ts'
import type { Also, Work, WorkDatabase } from '../db/work.ts'
import { readExpirationDate } from './expiration.ts'

/** Details that a new API key or token needs. */
interface NewCredential {
  readonly kind: CredentialKind
  /** Id of the account, `NO_ACCOUNT` for an operator's token. That there is one is the caller's to check. */
  readonly account: string
  readonly name: string
  readonly description?: string | null | undefined
  /** ISO-8601, in the future; null or left out: it does not expire. */
  readonly expirationDate?: Date | string | null | undefined
}

/** Members that may be changed; a member that is left out stays as it is, and null clears. */
interface CredentialUpdate {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly expirationDate?: Date | string | null | undefined
  readonly active?: boolean | undefined
}

/** A change of a credential, as the audit log names it. */
interface CredentialChange {
  readonly action: string
  /** ULID of the credential; absent: it is of none. */
  readonly target?: string
  /** The members that are set, with their new values. */
  readonly changes?: object
}

/** Called with a valid change before it is made; if it throws, the change is not made. */
export type BeforeChange = (change: CredentialChange) => Promise<void>

/** Work that is written in the transaction that makes a change; nothing is written where no change is made. @param account whose credential it is */
export type AlsoChanged = (database: WorkDatabase, change: CredentialChange, account: string) => Work<unknown>

/** Options for creating a credential. */
interface CreateOptions {
  readonly before?: BeforeChange
  readonly also?: AlsoChanged
  /** Most credentials of the kind that the account may have. @default any number */
  readonly most?: number | undefined
  /** @default the one of this process */
  readonly hasher?: Hasher
}

/** Most credentials of a list. */
export const LIST_MOST = 1_000
/** Longest text that is kept as the target of a change: a ULID has 26 characters. */
const TARGET_LENGTH = 40
const NAME_LENGTH = 200
const DESCRIPTION_LENGTH = 2_000
const NOUN: Readonly<Record<CredentialKind, string>> = { key: 'API key', token: 'management token', operator: 'operator token' }

/**
 * Creates a credential. Only the answer contains its value, which is kept nowhere.
 *
 * @throws 400 `INVALID_NAME`, `INVALID_DESCRIPTION`, `INVALID_EXPIRATION_DATE`; 409 `KEYS_EXHAUSTED`; 503 `BUSY`, `DATABASE_UNAVAILABLE`
 */
export async function createCredential(
  store: Store,
  peppers: Peppers,
  now: Date,
  input: NewCredential,
  { before, also, most, hasher = processHasher }: CreateOptions = {},
): Promise<{ record: Credential; value: string }> {
  const { kind, account } = input
  const name = readName(input.name)
  const description = readDescription(input.description)
  const expirationDate = readExpirationDate(input.expirationDate, now)
  const { value, ulid, secret, prefix } = mintValue(kind, peppers, now)
  const hash = await hasher.hash(secret)
  const record: Credential = {
    ulid,
    kind,
    account,
    name,
    description,
    hash,
    prefix,
    active: true,
    expirationDate,
    createdAt: now,
    lastUsedAt: null,
    pepper: pepperFingerprint(peppers[0]),
  }
  const change = { action: `create-${kind}`, target: ulid, changes: { name, description, expirationDate } }
  await before?.(change)
  if (!(await store.insertCredential(record, most, alongside(also, change, account))))
    throw serviceError(
      409,
      'KEYS_EXHAUSTED',
      `The account has ${most} ${NOUN[kind]}s, which is the most that it may have; delete one that is no longer needed.`,
    )
  return { record, value }
}

/** Part of a list: `limit` at most, with ULIDs after `after`. */
export interface ListPage {
  /** From 1 to 1,000. @default 1000 */
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** Lists the credentials of an account, or with null those of all accounts, oldest first. */
export function listCredentials(
  store: Store,
  account: string | null,
  kind: CredentialKind,
  { limit = LIST_MOST, after }: ListPage = {},
): Promise<Credential[]> {
  return store.listCredentials(account, kind, { limit: Math.min(limit, LIST_MOST), after })
}

/** Iterates over all credentials of an account, oldest first, reading a list at a time. */
export async function* eachCredential(store: Store, account: string, kind: CredentialKind): AsyncGenerator<Credential> {
  for (let after: string | undefined; ; ) {
    const page = await listCredentials(store, account, kind, { after })
    yield* page
    after = page.at(-1)?.ulid
    if (page.length < LIST_MOST) return
  }
}

/** Reads an API key or token of an account. @throws 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND`, for another account's as for none at all */
export async function readCredential(store: Store, scope: CredentialScope): Promise<Credential> {
  const credential = await store.findCredential(scope.ulid)
  if (credential?.account !== scope.account || credential.kind !== scope.kind) throw noSuch(scope)
  return credential
}

/** Changes an API key or token of an account. @throws as `createCredential`, and 400 `INVALID_ACTIVE`; 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND` */
export async function updateCredential(
  store: Store,
  now: Date,
  scope: CredentialScope,
  update: CredentialUpdate,
  before?: BeforeChange,
  also?: AlsoChanged,
): Promise<Credential> {
  const changes: { -readonly [K in keyof CredentialChanges]: CredentialChanges[K] } = {}
  if (update.name !== undefined) changes.name = readName(update.name)
  if (update.description !== undefined) changes.description = readDescription(update.description)
  if (update.expirationDate !== undefined) changes.expirationDate = readExpirationDate(update.expirationDate, now)
  if (update.active !== undefined) changes.active = readActive(update.active)
  const change = { action: `update-${scope.kind}`, target: scope.ulid.slice(0, TARGET_LENGTH), changes }
  await before?.(change)
  if (!(await store.updateCredential(scope, changes, alongside(also, change, scope.account)))) throw noSuch(scope)
  return readCredential(store, scope)
}

/** Deletes a credential with its record; it is refused from then on. @throws 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND` */
export async function removeCredential(store: Store, scope: CredentialScope, before?: BeforeChange, also?: AlsoChanged): Promise<void> {
  const change = { action: `delete-${scope.kind}`, target: scope.ulid.slice(0, TARGET_LENGTH) }
  await before?.(change)
  if (!(await store.deleteCredential(scope, alongside(also, change, scope.account)))) throw noSuch(scope)
}

function alongside(also: AlsoChanged | undefined, change: CredentialChange, account: string): Also | undefined {
  return also && ((database) => also(database, change, account))
}

function noSuch({ kind, ulid, account }: CredentialScope) {
  const where = account === NO_ACCOUNT ? '' : ' in this account'
  return notFound(kind === 'key' ? 'KEY_NOT_FOUND' : 'TOKEN_NOT_FOUND', `There is no ${NOUN[kind]} ${quoted(ulid, 40)}${where}.`)
}

function readName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name.length > NAME_LENGTH || !isReadable(name)) {
    throw badRequest(
      'INVALID_NAME',
      `The name ${quoted(value)} cannot be used; it must be one line of 1 to ${NAME_LENGTH} characters that can be seen.`,
    )
  }
  return name
}

function readDescription(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || value.length > DESCRIPTION_LENGTH || (value !== '' && !isReadableText(value))) {
    throw badRequest(
      'INVALID_DESCRIPTION',
      `The description ${quoted(value)} cannot be used; it must be a text of at most ${DESCRIPTION_LENGTH} characters that can be seen.`,
    )
  }
  return value
}

function readActive(value: unknown): boolean {
  if (typeof value !== 'boolean') throw badRequest('INVALID_ACTIVE', `active is ${quoted(value)}; it must be true or false.`)
  return value
}

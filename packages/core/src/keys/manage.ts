import { badRequest, notFound, serviceError } from '../codes.ts'
import { type Credential, type CredentialChanges, type CredentialKind, type CredentialScope, NO_ACCOUNT, type Store } from '../db/store.ts'
import type { Also, Work, WorkDatabase } from '../db/work.ts'
import { readExpirationDate } from './expiration.ts'
import { type Hasher, hasher as processHasher } from './hash.ts'
import { mintValue, type Peppers, pepperFingerprint } from './value.ts'

/** What a new API key or token needs. */
export interface NewCredential {
  readonly kind: CredentialKind
  /** Id of the account, `NO_ACCOUNT` for an operator's token. That there is one is the caller's to check. */
  readonly account: string
  readonly name: string
  readonly description?: string | null | undefined
  /** ISO-8601, in the future; null or left out: it does not expire. */
  readonly expirationDate?: Date | string | null | undefined
}

/** What may be changed; a member that is left out stays as it is, and null clears. */
export interface CredentialUpdate {
  readonly name?: string | undefined
  readonly description?: string | null | undefined
  readonly expirationDate?: Date | string | null | undefined
  readonly active?: boolean | undefined
}

/** A change of a credential, as the audit log names it. */
export interface CredentialChange {
  readonly action: string
  /** Its ULID. */
  readonly target: string
  /** The members that are set, with their new values. */
  readonly changes?: object
}

/** Called with what is about to be done, once it is found to be sound; when it throws, it is not done. */
export type BeforeChange = (change: CredentialChange) => Promise<void>

/** What is written in the transaction that makes a change; nothing where none is made. @param account whose credential it is */
export type AlsoChanged = (database: WorkDatabase, change: CredentialChange, account: string) => Work<unknown>

/** Around a new credential. */
export interface CreateOptions {
  readonly before?: BeforeChange
  readonly also?: AlsoChanged
  /** Most credentials of the kind that the account may have. @default any number */
  readonly most?: number | undefined
  /** @default the one of this process */
  readonly hasher?: Hasher
}

/** Most that a list holds. */
export const LIST_MOST = 1_000
/** Longest text that is kept as the target of a change: a ULID has 26 characters. */
const TARGET_LENGTH = 40
const NAME_LENGTH = 200
const DESCRIPTION_LENGTH = 2_000
const NOUN: Readonly<Record<CredentialKind, string>> = { key: 'API key', token: 'management token', operator: 'operator token' }

/**
 * Makes a credential. The value is in the answer and nowhere else.
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

/** Which part of a list: `limit` at most, with ULIDs after `after`. */
export interface ListPage {
  /** From 1 to 1,000. @default 1000 */
  readonly limit?: number | undefined
  readonly after?: string | undefined
}

/** The account's, or with null those of all accounts, oldest first. */
export function listCredentials(
  store: Store,
  account: string | null,
  kind: CredentialKind,
  { limit = LIST_MOST, after }: ListPage = {},
): Promise<Credential[]> {
  return store.listCredentials(account, kind, { limit: Math.min(limit, LIST_MOST), after })
}

/** All of the account's, oldest first, read a list at a time. */
export async function* eachCredential(store: Store, account: string, kind: CredentialKind): AsyncGenerator<Credential> {
  for (let after: string | undefined; ; ) {
    const found = await listCredentials(store, account, kind, { after })
    yield* found
    after = found.at(-1)?.ulid
    if (found.length < LIST_MOST) return
  }
}

/** @throws 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND`, for another account's as for none at all */
export async function readCredential(store: Store, scope: CredentialScope): Promise<Credential> {
  const found = await store.findCredential(scope.ulid)
  if (found?.account !== scope.account || found.kind !== scope.kind) throw noSuch(scope)
  return found
}

/** @throws as `createCredential`, and 400 `INVALID_ACTIVE`; 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND` */
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

/** It is refused from now on, and its record is gone. @throws 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND` */
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
  return notFound(kind === 'key' ? 'KEY_NOT_FOUND' : 'TOKEN_NOT_FOUND', `There is no ${NOUN[kind]} ${shown(ulid, 40)}${where}.`)
}

function readName(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '' || name.length > NAME_LENGTH || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw badRequest('INVALID_NAME', `The name ${shown(value)} cannot be used; it must be one line of 1 to ${NAME_LENGTH} characters.`)
  }
  return name
}

function readDescription(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string' || value.length > DESCRIPTION_LENGTH || /[^\P{Cc}\t\r\n]/u.test(value) || !value.isWellFormed()) {
    throw badRequest(
      'INVALID_DESCRIPTION',
      `The description ${shown(value)} cannot be used; it must be a text of at most ${DESCRIPTION_LENGTH} characters.`,
    )
  }
  return value
}

function readActive(value: unknown): boolean {
  if (typeof value !== 'boolean') throw badRequest('INVALID_ACTIVE', `active is ${shown(value)}; it must be true or false.`)
  return value
}

function shown(value: unknown, most = 60): string {
  const text = (JSON.stringify(value) ?? String(value)).toWellFormed()
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

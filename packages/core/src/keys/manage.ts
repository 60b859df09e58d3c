import { badRequest, notFound } from '@svc/contract'
import type { Credential, CredentialChanges, CredentialKind, CredentialScope, Store } from '../db/store.ts'
import { readExpirationDate } from './expiration.ts'
import { type Hasher, hasher as processHasher } from './hash.ts'
import { mintValue, type Peppers } from './value.ts'

/** What a new API key or management token needs. */
export interface NewCredential {
  readonly kind: CredentialKind
  /** Id of the account. That there is one is the caller's to check. */
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

const NAME_LENGTH = 200
const DESCRIPTION_LENGTH = 2_000
const NOUN: Readonly<Record<CredentialKind, string>> = { key: 'API key', token: 'management token' }

/**
 * Makes a credential. The value is in the answer and nowhere else.
 *
 * @throws 400 `INVALID_NAME`, `INVALID_DESCRIPTION`, `INVALID_EXPIRATION_DATE`; 503 `BUSY`, `DATABASE_UNAVAILABLE`
 */
export async function createCredential(
  store: Store,
  peppers: Peppers,
  now: Date,
  input: NewCredential,
  hasher: Hasher = processHasher,
): Promise<{ record: Credential; value: string }> {
  const { kind, account } = input
  const name = readName(input.name)
  const description = readDescription(input.description)
  const expirationDate = readExpirationDate(input.expirationDate, now)
  const { value, ulid, secret, prefix } = mintValue(kind, peppers, now)
  const hash = await hasher.hash(secret)
  const record = { ulid, kind, account, name, description, hash, prefix, active: true, expirationDate, createdAt: now, lastUsedAt: null }
  await store.insertCredential(record)
  return { record, value }
}

/** The account's, oldest first. */
export function listCredentials(store: Store, account: string, kind: CredentialKind): Promise<Credential[]> {
  return store.listCredentials(account, kind)
}

/** @throws 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND`, for another account's as for none at all */
export async function readCredential(store: Store, scope: CredentialScope): Promise<Credential> {
  const found = await store.findCredential(scope.ulid)
  if (found?.account !== scope.account || found.kind !== scope.kind) throw noSuch(scope)
  return found
}

/** @throws as `createCredential`, and 400 `INVALID_ACTIVE`; 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND` */
export async function updateCredential(store: Store, now: Date, scope: CredentialScope, update: CredentialUpdate): Promise<Credential> {
  const changes: { -readonly [K in keyof CredentialChanges]: CredentialChanges[K] } = {}
  if (update.name !== undefined) changes.name = readName(update.name)
  if (update.description !== undefined) changes.description = readDescription(update.description)
  if (update.expirationDate !== undefined) changes.expirationDate = readExpirationDate(update.expirationDate, now)
  if (update.active !== undefined) changes.active = readActive(update.active)
  if (!(await store.updateCredential(scope, changes))) throw noSuch(scope)
  return readCredential(store, scope)
}

/** It is refused from now on, and its record is gone. @throws 404 `KEY_NOT_FOUND`, `TOKEN_NOT_FOUND` */
export async function removeCredential(store: Store, scope: CredentialScope): Promise<void> {
  if (!(await store.deleteCredential(scope))) throw noSuch(scope)
}

function noSuch({ kind, ulid }: CredentialScope) {
  return notFound(kind === 'key' ? 'KEY_NOT_FOUND' : 'TOKEN_NOT_FOUND', `There is no ${NOUN[kind]} ${shown(ulid, 40)} in this account.`)
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

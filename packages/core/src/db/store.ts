import type { Json } from './json.ts'

/** `key`: an API key, for `X-API-KEY`. `token`: a management token, for the API key endpoints. */
export type CredentialKind = 'key' | 'token'

/** An API key or a management token, as stored: never its value, only the argon2id hash of its secret. */
export interface Credential {
  readonly ulid: string
  readonly kind: CredentialKind
  /** Id of the account it belongs to. */
  readonly account: string
  readonly name: string
  readonly description: string | null
  /** Argon2id of the secret, in PHC string format. */
  readonly hash: string
  /** Start of the value, for a person to recognise it by; nothing secret. */
  readonly prefix: string
  readonly active: boolean
  /** First moment at which it is no longer accepted; null: never. */
  readonly expirationDate: Date | null
  readonly createdAt: Date
  /** Up to a minute old; null: never used. */
  readonly lastUsedAt: Date | null
}

/** What may be changed afterwards; a member left out stays as it is. */
export type CredentialChanges = Partial<Pick<Credential, 'name' | 'description' | 'expirationDate' | 'active'>>

/** One credential, within what the caller may see. */
export interface CredentialScope {
  readonly ulid: string
  readonly account: string
  readonly kind: CredentialKind
}

/** A use of a credential. */
export interface CredentialUse {
  readonly ulid: string
  readonly at: Date
}

/** One request, as the audit log keeps it. */
export interface AuditRecord {
  /** ULID. A record written twice under one id is kept once. */
  readonly id: string
  readonly time: Date
  readonly account: string
  /** ULID of the API key or management token. */
  readonly key: string
  /** Value of `X-IDENTITY`. */
  readonly identity: string | null
  readonly method: string
  /** The route's pattern, not the path that was asked for. */
  readonly route: string
  /** Value of `X-NETWORK`, or the default that stood for it. */
  readonly network: string | null
  readonly status: number
  /** Milliseconds, with a fraction. */
  readonly durationMs: number
  readonly requestId: string
  readonly action: string | null
  /** What the caller was promised, through `effectsToJson`. */
  readonly effects: Json | null
  readonly txHash: string | null
  /** The stable code of a refusal. */
  readonly error: string | null
}

/** Which audit records, and how many. Members left out do not restrict. */
export interface AuditFilter {
  readonly account?: string
  readonly key?: string
  readonly identity?: string
  readonly action?: string
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** At least 1. */
  readonly limit: number
  /** `next` of the page before. */
  readonly before?: string
}

/** Newest first. */
export interface AuditPage {
  readonly records: readonly AuditRecord[]
  /** `before` of the next page; null: this was the last one. */
  readonly next: string | null
}

/** Hears the ULID of a credential that was inserted, changed or deleted, here or elsewhere; `*`: any of them may have been. */
export type CredentialListener = (ulid: string) => void

/** The part of a logger that is used here; fastify's fits. */
export interface Log {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/**
 * The state of the service. Every function rejects with a 503 `ServiceError` (`DATABASE_UNAVAILABLE`) when the database
 * does not answer, which is never the same as an answer of null or false.
 */
export interface Store {
  readonly dialect: 'sqlite' | 'postgres'

  insertCredential(credential: Credential): Promise<void>
  /** Of any kind and account. */
  findCredential(ulid: string): Promise<Credential | null>
  /** In order of ULID, which is the order of creation. */
  listCredentials(account: string, kind: CredentialKind): Promise<Credential[]>
  /** @returns false when there is none in that scope */
  updateCredential(scope: CredentialScope, changes: CredentialChanges): Promise<boolean>
  /** @returns false when there is none in that scope */
  deleteCredential(scope: CredentialScope): Promise<boolean>
  /** Never moves a time backwards, ignores what no longer exists, and tells no listener. */
  touchLastUsed(uses: readonly CredentialUse[]): Promise<void>
  /**
   * Changes made through this store are told before the change's promise resolves; those of other processes soon after,
   * but not for certain: whoever depends on them also re-reads.
   *
   * @returns ends the subscription
   */
  onCredentialChange(listener: CredentialListener): () => void

  /** All of them in one transaction; a record whose id is present already is skipped, so that a batch may be sent again. */
  appendAudit(records: readonly AuditRecord[]): Promise<void>
  /** @throws 400 `INVALID_CURSOR` */
  readAudit(filter: AuditFilter): Promise<AuditPage>

  /** Asks the database; rejects when there is no answer within 2 s. */
  ping(): Promise<void>
  close(): Promise<void>
}

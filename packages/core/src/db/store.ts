import type { Json } from './json.ts'

/**
 * `key`: an API key, for `X-API-KEY`. `token`: an account's management token, for its API keys and its operations. `operator`: an operator's
 * token, for the same of all accounts.
 */
export type CredentialKind = 'key' | 'token' | 'operator'

/** What stands for the account of an operator's token, which belongs to none. */
export const NO_ACCOUNT = ''

/** An API key or a token, as stored: never its value, only the argon2id hash of its secret. */
export interface Credential {
  readonly ulid: string
  readonly kind: CredentialKind
  /** Id of the account it belongs to; `NO_ACCOUNT` for an operator's token. */
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
  /** Fingerprint of the pepper that its tag was made with; null: made before fingerprints were kept. */
  readonly pepper: string | null
}

/** What may be changed afterwards; a member left out stays as it is. */
export type CredentialChanges = Partial<Pick<Credential, 'name' | 'description' | 'expirationDate' | 'active'>>

/** One credential, within what the caller may see. */
export interface CredentialScope {
  readonly ulid: string
  readonly account: string
  readonly kind: CredentialKind
}

/** Part of a list of credentials. */
export interface CredentialPage {
  readonly limit: number
  readonly after?: string | undefined
}

/** How many credentials of a kind an account has. */
export interface CredentialCount {
  readonly account: string
  readonly count: number
}

/** Credentials that were made with one pepper. */
export interface PepperCount {
  /** Its fingerprint; null: made before fingerprints were kept. */
  readonly pepper: string | null
  readonly count: number
}

/** A use of a credential. */
export interface CredentialUse {
  readonly ulid: string
  readonly at: Date
}

/** One request, or one change by the command line, as the audit log keeps it. */
export interface AuditRecord {
  /** ULID. Of two records under one id the one with the higher `rev` is kept, in whatever order they arrive. */
  readonly id: string
  /** 0 when first written; one more each time it is completed or corrected. */
  readonly rev: number
  readonly time: Date
  /** Empty when nobody could be identified, and for what an operator did to no single account. */
  readonly account: string
  /** ULID of the API key or token; empty for the command line, and for a credential that was never issued here. */
  readonly key: string
  /** Address that the request came from; null for the command line. */
  readonly address: string | null
  /** Value of `X-IDENTITY`. */
  readonly identity: string | null
  readonly method: string
  /** The route's pattern, not the path that was asked for. */
  readonly route: string
  /** Value of `X-NETWORK`, or the default that stood for it. */
  readonly network: string | null
  /** 0: not answered yet, or the process ended before it was. */
  readonly status: number
  /** How many alike this record stands for: more than 1 only where refused credentials are counted together. */
  readonly count: number
  /** Milliseconds, with a fraction. */
  readonly durationMs: number
  readonly requestId: string
  readonly action: string | null
  /** What the caller was promised, through `effectsToJson`. */
  readonly effects: Json | null
  /** ULID of the credential that was made, changed or revoked. */
  readonly target: string | null
  /** What was changed of it: the members that were set, with their new values. */
  readonly changes: Json | null
  /** The transaction before it was signed: the same on craft, prepare and broadcast. */
  readonly unsignedHash: string | null
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
  /** ULID of the credential that was made, changed or revoked. */
  readonly target?: string
  /** Hash of a transaction, signed or unsigned. */
  readonly transaction?: string
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

  /**
   * @param most of its kind that its account may have
   * @returns false when it has that many
   */
  insertCredential(credential: Credential, most?: number): Promise<boolean>
  /** Of any kind and account. */
  findCredential(ulid: string): Promise<Credential | null>
  /**
   * In order of ULID, which is the order of creation: those after a ULID, and no more than `limit`.
   *
   * @param account null: of all accounts
   */
  listCredentials(account: string | null, kind: CredentialKind, page: CredentialPage): Promise<Credential[]>
  /** Of the accounts that have any. @param account null: of all accounts */
  countCredentials(account: string | null, kind: CredentialKind): Promise<readonly CredentialCount[]>
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

  /** All of them in one transaction; a record is skipped that is present under its id with the same or a higher `rev`, so that a batch may be sent again. */
  appendAudit(records: readonly AuditRecord[]): Promise<void>
  /** @throws 400 `INVALID_CURSOR` */
  readAudit(filter: AuditFilter): Promise<AuditPage>

  /** @returns null when nothing is kept there */
  readRecord(place: string, key: string): Promise<string | null>
  /** Replaces what was kept there. @param at when, for whoever looks at the table */
  writeRecord(place: string, key: string, value: string, at: Date): Promise<void>

  /** The database's clock, which all replicas share. */
  now(): Date
  /** How many credentials were made with which pepper. */
  countPeppers(): Promise<readonly PepperCount[]>

  /** Reads credentials and writes; rejects when that cannot be done within 2 s. */
  ping(): Promise<void>
  close(): Promise<void>
}

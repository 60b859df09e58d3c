import type { Json } from './json.ts'
import type { CountFilter, Counts, Outcome } from './request-counts.ts'
import type { Pace } from './slices.ts'
import type { Also, WorkRunner } from './work.ts'

export type { Log } from './log.ts'

/**
 * `key`: an API key, for `X-API-KEY`. `token`: an account's management token, for its API keys and its operations. `operator`: an operator's
 * token, for the same of all accounts.
 */
export type CredentialKind = 'key' | 'token' | 'operator'

/** Account of an operator's token, which belongs to no account: the empty text. */
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
  /** Fingerprint of the pepper with which the credential's tag was made; null: it was made before fingerprints were kept. */
  readonly pepper: string | null
}

/** Members that may be changed afterwards; a member left out stays as it is. */
export type CredentialChanges = Partial<Pick<Credential, 'name' | 'description' | 'expirationDate' | 'active'>>

/** Identifies a credential, and limits the caller to the credentials of an account. */
export interface CredentialScope {
  readonly ulid: string
  readonly account: string
  readonly kind: CredentialKind
}

/** Part of a list of credentials. */
interface CredentialPage {
  readonly limit: number
  readonly after?: string | undefined
}

/** Number of credentials of one kind that an account has. */
interface CredentialCount {
  readonly account: string
  readonly count: number
}

/** Credentials that were made with one pepper. */
export interface PepperCount {
  /** Fingerprint of the pepper; null: made before fingerprints were kept. */
  readonly pepper: string | null
  readonly count: number
}

/** A use of a credential. */
type CredentialUse = Pick<Credential, 'ulid'> & { readonly at: Date }

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
  /** Number of equal records that this record stands for: more than 1 only where refused credentials are counted together. */
  readonly count: number
  /** Milliseconds, with a fraction. */
  readonly durationMs: number
  readonly requestId: string
  readonly action: string | null
  /** Effects that the caller was promised, through `effectsToJson`. */
  readonly effects: Json | null
  /** ULID of the credential that was made, changed or revoked. */
  readonly target: string | null
  /** Changes to the credential: the members that were set, with their new values. */
  readonly changes: Json | null
  /** The transaction before it was signed: the same on craft, prepare and broadcast. */
  readonly unsignedHash: string | null
  readonly txHash: string | null
  /** The stable code of a refusal. */
  readonly error: string | null
  /** Short name of the plugin whose route it was: `evm-three`. null: of no plugin, or written before it was kept. */
  readonly protocol: string | null
  /** Wallet that signs the transaction, or would have signed the refused one, in the canonical form of the family. */
  readonly wallet: string | null
  /** Sentence of the protocol's intent on the bytes of the transaction. */
  readonly sentence: string | null
  /** Moves of the transaction by the protocol's intent: a list of `kind`, `asset` and `amount` in base units. */
  readonly moves: Json | null
  /** `operator`: the operator acted on the account, with an operator token or on the command line; null: the holder of `key` acted. */
  readonly actor: 'operator' | null
  /** Amounts that a refused craft asked for, as text, by the name of their member. */
  readonly asked: Json | null
  /** Sentence that the caller of a refused request got, without the caller's own texts that are no addresses. */
  readonly reason: string | null
  /** The path of a request that was answered 404, as far as it is no secret. */
  readonly path: string | null
}

/** Reader of a record: an operator, or a token of the record's account. */
export type Viewer = 'operator' | 'account'

/** Filter of audit records, and how many of them. Members left out do not restrict. */
export interface AuditFilter {
  readonly account?: string
  /** ULID of a key or token, or of several, any of which may match. */
  readonly key?: string | readonly string[]
  readonly identity?: string
  readonly action?: string
  /** Short name of a plugin. */
  readonly protocol?: string
  readonly network?: string
  /** In whatever case. */
  readonly wallet?: string
  readonly outcome?: Outcome
  /** Code of a refusal. */
  readonly error?: string
  readonly requestId?: string
  /** ULID of the credential that was made, changed or revoked. */
  readonly target?: string
  /** Hash of a transaction, signed or unsigned, in whatever case. */
  readonly transaction?: string
  /** A whole wallet, hash, identity, request id, code, or key by identifier or name, where a record has it; else a part of the sentence, the reason or the path, in whatever case. */
  readonly text?: string
  /** True for only the newest record of each transaction among the records that the other members let through. @default false */
  readonly collapse?: boolean
  /** True if reads that ended well are among the records. @default true */
  readonly reads?: boolean
  /** Reader of the records. The filter of an account does not match on members that the account is not shown. @default 'operator' */
  readonly viewer?: Viewer
  /** Inclusive. */
  readonly from?: Date
  /** Exclusive. */
  readonly to?: Date
  /** At least 1. */
  readonly limit: number
  /** `next` of the page before. */
  readonly before?: string
  /** Time for which the log is searched, in milliseconds; then the page has the records found so far. @default without end */
  readonly patienceMs?: number
}

/** Newest first. */
export interface AuditPage {
  readonly records: readonly AuditRecord[]
  /** `before` of the next page; null: this was the last one. A page of which the search ran out of time has fewer records than asked for, or none. */
  readonly next: string | null
}

/** A transaction of an account. */
export interface Transaction {
  readonly account: string
  readonly unsignedHash: string
}

/** Times that decide the state of a key: one that expires by `now` has expired, and one that expires by `until` is about to. */
interface KeyTimes {
  readonly now: Date
  readonly until: Date
  /** Most keys about to expire that are listed. */
  readonly most: number
}

/** States of API keys. */
interface KeyStates {
  /** Number of keys that are accepted. */
  readonly active: number
  /** Number of keys that are deactivated or expired. */
  readonly inactive: number
  /** Active keys that expire soon, the earliest first. */
  readonly expiring: readonly Credential[]
}

/** Receives the ULID of a credential that was inserted, changed or deleted, by this process or another; `*`: any credential may have changed. */
export type CredentialListener = (ulid: string) => void

/**
 * The state of the service. Every function rejects with a 503 `ServiceError` (`DATABASE_UNAVAILABLE`) when the database
 * does not answer, which is never the same as an answer of null or false.
 */
export interface Store extends WorkRunner {
  readonly dialect: 'sqlite' | 'postgres'
  readonly pace: Pace

  /**
   * @param most of its kind that its account may have
   * @param also done in the same transaction, as with the next two, where there is a change
   * @returns false when it has that many
   */
  insertCredential(credential: Credential, most?: number, also?: Also): Promise<boolean>
  findCredential(ulid: string): Promise<Credential | null>
  /**
   * In order of ULID, which is the order of creation: those after a ULID, and no more than `limit`.
   *
   * @param account null: of all accounts
   */
  listCredentials(account: string | null, kind: CredentialKind, page: CredentialPage): Promise<Credential[]>
  /** Counts the credentials of the accounts that have any. @param account null: of all accounts */
  countCredentials(account: string | null, kind: CredentialKind): Promise<readonly CredentialCount[]>
  /** @returns false when there is none in that scope */
  updateCredential(scope: CredentialScope, changes: CredentialChanges, also?: Also): Promise<boolean>
  /** @returns false when there is none in that scope */
  deleteCredential(scope: CredentialScope, also?: Also): Promise<boolean>
  /** Saves the times of use. Never moves a time backwards, ignores credentials that no longer exist, and calls no listener. */
  touchLastUsed(uses: readonly CredentialUse[]): Promise<void>
  /**
   * Changes made through this store are told before the change's promise resolves; those of other processes soon after,
   * but not for certain: whoever depends on them also re-reads.
   *
   * @returns ends the subscription
   */
  onCredentialChange(listener: CredentialListener): () => void

  /** All in one transaction, then what is also to be saved; a record that is present with the same or a higher `rev` is skipped: a batch may be sent again. */
  appendAudit(records: readonly AuditRecord[], also?: readonly Also[]): Promise<void>
  /** @throws 400 `INVALID_CURSOR` */
  readAudit(filter: AuditFilter): Promise<AuditPage>

  /**
   * Reads the records of craft, prepare and broadcast of each transaction, oldest first.
   *
   * @param transactions by account and `unsignedHash`
   * @param most of each
   * @returns in the order of `transactions`
   */
  readSteps(transactions: readonly Transaction[], most: number): Promise<readonly (readonly AuditRecord[])[]>
  /** Reads counts of requests, which each write to the audit log updates. */
  readCounts(filter: CountFilter): Promise<Counts>
  /** Deletes a part of the outdated counts. @returns whether there is more to delete */
  trimCounts(now: Date): Promise<boolean>
  /** Reads the names of credentials of any kind and account, by ULID; deleted credentials are left out. */
  credentialNames(ulids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Tells the states of the API keys of one account, or of all accounts. */
  keyStates(account: string | null, times: KeyTimes): Promise<KeyStates>

  /** Reads a kept text. @returns null when there is none */
  readRecord(place: string, key: string): Promise<string | null>
  /** Replaces a kept text. @param at time of the write, for people who look at the table */
  writeRecord(place: string, key: string, value: string, at: Date): Promise<void>

  /** Returns the time by the database's clock, which all replicas share. */
  now(): Date
  /** Counts the credentials that were made with each pepper. */
  countPeppers(): Promise<readonly PepperCount[]>

  /** Reads credentials and writes; rejects when that cannot be done within 2 s. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Outcome of a request: `ok` below 400, `refused` 4xx, `failed` 5xx; `open`: not answered yet, or the process ended before it was. */
export type Outcome = 'ok' | 'refused' | 'failed' | 'open'

/** Reason why a request was refused or failed. */
interface AuditError {
  readonly code: string
  /** Sentence that the caller was told; null: an older version recorded it. */
  readonly sentence: string | null
}

/** A request that belongs to a transaction. */
export interface AuditStep {
  readonly id: string
  readonly step: 'craft' | 'prepare' | 'broadcast'
  /** ISO-8601. */
  readonly time: string
  readonly status: number
  readonly outcome: Outcome
  readonly request_id: string
  readonly error: AuditError | null
}

/** Move of a transaction. Several moves may say the same amount from different sides. */
export interface AuditMove {
  readonly kind: 'leaves' | 'staked' | 'freed' | 'arrives'
  /** `native`, or the address of a token. */
  readonly asset: string
  /** Base units as decimal text; null where the bytes do not say how much. */
  readonly amount: string | null
}

/** A record of the audit log, as GET /audit gives it. */
export interface AuditRecord {
  readonly id: string
  /** ISO-8601. */
  readonly time: string
  /** Empty when nobody could be identified. */
  readonly account: string
  readonly key: { readonly ulid: string; readonly name: string | null } | null
  /** True if the operator of the service did it; to an account `key`, `address` and `identity` are then null. */
  readonly by_operator: boolean
  readonly address: string | null
  readonly identity: string | null
  readonly method: string
  readonly route: string
  readonly protocol: string | null
  readonly network: string | null
  /** 0: not answered. */
  readonly status: number
  readonly outcome: Outcome
  /** Kind of the record; the overview counts all but `service`. */
  readonly kind: 'craft' | 'prepare' | 'broadcast' | 'other' | 'read' | 'unknown' | 'credential' | 'service'
  /** Number of equal records that this record stands for. */
  readonly count: number
  readonly duration_ms: number
  readonly request_id: string
  readonly action: string | null
  readonly sentence: string | null
  readonly moves: readonly AuditMove[] | null
  readonly wallet: string | null
  readonly unsigned_hash: string | null
  readonly tx_hash: string | null
  readonly error: AuditError | null
  /** Amounts that a refused craft asked for, as they were written. */
  readonly asked: Readonly<Record<string, string>> | null
  /** Path of a request that was answered 404. */
  readonly path: string | null
  /** ULID of the credential that was made, changed or revoked. */
  readonly target: string | null
  readonly changes: unknown
  /** The requests of the same transaction, oldest first. */
  readonly steps: readonly AuditStep[]
}

/** Answer of GET /audit: newest first. A search that took long may answer fewer than asked for, or none, and still have a cursor. */
export interface AuditPage {
  readonly records: readonly AuditRecord[]
  /** Cursor of the next page; null: there is none. */
  readonly next: string | null
}

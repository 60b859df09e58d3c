/** Kind of an entry of a book. */
export type EntryKind =
  | 'deposit'
  | 'activation'
  | 'redelegation'
  | 'exit_requested'
  | 'exit_cancelled'
  | 'withdrawal'
  | 'reward'
  | 'claim'
  | 'compound'
  | 'slash'
  | 'fee'
  | 'transfer_in'
  | 'transfer_out'
  | 'tokenize'
  | 'rent_adjustment'
  | 'block_revenue'
  | 'revaluation'
  | 'rounding'
  | 'unexplained'

/** Reason why something is not known. */
export type UnknownReason = 'flow_missing' | 'claims_not_known' | 'endpoint_disagrees' | 'pruned' | 'no_index' | 'not_declared'

/** An entry of a book, as GET /statements gives it. Times are ISO-8601. */
export interface StatementEntry {
  readonly account: string
  readonly protocol: string
  /** CAIP-2. */
  readonly network: string
  readonly wallet: string
  /** Book, line, and place in the line: `12-4-0`. */
  readonly id: string
  readonly kind: EntryKind
  /** Decimal text, below zero where it takes something back; null: of another asset than the native one. */
  readonly amount: string | null
  readonly amount_base: string
  readonly asset: string
  /** A bucket, such as `exit:7`, or `wallet`, `chain`, `others`, `unknown`. */
  readonly from: string
  readonly to: string
  readonly height: number | null
  readonly time: string | null
  readonly tx_hash: string | null
  readonly log_index: number | null
  readonly reason: UnknownReason | null
  /** Identifier of the entry that it takes back. */
  readonly corrects: string | null
  readonly complete: boolean
  /** True if it was taken back by a later one. */
  readonly superseded: boolean
  readonly booked_at: string
}

/** Answer of GET /statements: a part of the entries. */
export interface Statement {
  /** By book, oldest first. */
  readonly entries: readonly StatementEntry[]
  readonly complete: boolean
  /** Cursor of the next part; null: this was the last one. */
  readonly next: string | null
}

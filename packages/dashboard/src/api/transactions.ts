import type { AuditMove, AuditStep } from './audit.ts'

/** State of a transaction: `replaced` and `expired` can never land; of `unknown` nothing is proven. */
export type Status = 'unknown' | 'pending' | 'included' | 'final' | 'failed' | 'replaced' | 'expired'

/** A block; members that the chain does not have are null. */
export interface Block {
  readonly height: number | null
  readonly hash: string | null
  readonly time: string | null
}

/** Move that a transaction makes or made, in base units; null where the bytes do not say how much. */
export interface Move extends Pick<AuditMove, 'kind' | 'asset'> {
  readonly units: string | null
}

/** An amount that was not moved as the bytes promised, in base units. */
interface Difference extends Pick<AuditMove, 'kind' | 'asset'> {
  readonly promised: string
  readonly moved: string
}

/** One end that a transaction comes to. */
export interface Validity {
  /** A word that the service's own families have, or that of another one. */
  readonly kind: string
  readonly value: string | null
  /** Estimate by the chain's pace, never a promise. */
  readonly estimated_at: string | null
}

/** End of the time in which a transaction can land: the earlier of two ends, where it has two. */
export interface ValidUntil extends Validity {
  readonly also?: Validity
}

/** A transaction that is followed, as GET /transactions gives it. Times are ISO-8601. */
export interface FollowedTransaction {
  readonly id: string
  readonly account: string
  readonly protocol: string
  readonly chain_id: string
  /** CAIP-2. */
  readonly network: string
  readonly tx_hash: string
  readonly status: Status
  readonly finality: 'none' | 'included' | 'final'
  readonly certainty: 'proven' | 'likely'
  readonly block: Block | null
  /** In native tokens, exact; below zero where storage was paid back. */
  readonly fee: { readonly amount: string; readonly unit: string | null } | null
  /** Moves that the transaction made; null: no node keeps its effects. */
  readonly moves: readonly Move[] | null
  readonly object_ids: readonly string[] | null
  readonly error: { readonly code: string; readonly reason: string } | null
  readonly replaced_by: string | null
  readonly replaced_by_same: boolean | null
  readonly valid_until: ValidUntil | null
  readonly looked_at: number | null
  readonly first_seen: string
  readonly checked_at: string | null
  readonly accepted_at: string | null
  readonly ended_at: string | null
  readonly next_look_at: string | null
  readonly origin: 'broadcast' | 'track'
  readonly wallet: string | null
  readonly sentence: string | null
  /** Moves that the transaction's bytes promise; null: the bytes are not known. */
  readonly promised: readonly Move[] | null
  /** Empty: it moved what was promised; null: not compared. */
  readonly differences: readonly Difference[] | null
  readonly unsigned_hash: string | null
  readonly identity: string | null
  readonly request_id: string
}

/** A state that it came to. */
export interface Transition {
  readonly step: number
  readonly status: Status
  readonly finality: FollowedTransaction['finality']
  readonly time: string
  readonly block: Block | null
  /** Type of the event that told it. */
  readonly event: string | null
}

/** Answer of GET /transactions/{tx_hash}. */
export interface TransactionDetail extends FollowedTransaction {
  /** Oldest first. */
  readonly history: readonly Transition[]
  /** Its requests in the audit log, oldest first. */
  readonly steps: readonly AuditStep[]
}

/** Answer of GET /transactions. */
export interface TransactionPage {
  readonly transactions: readonly FollowedTransaction[]
  readonly next: string | null
}

/** Lists the parts of the path of a transaction's page. */
export function partsOfTransaction({
  tx_hash,
  protocol,
  account,
}: Pick<FollowedTransaction, 'tx_hash' | 'protocol' | 'account'>): readonly string[] {
  return ['transactions', tx_hash, protocol, account]
}

import type { Control, StakeShare } from './control.ts'

/** A unit of a position that has a real identifier of its own. Amounts in base units. */
export interface StakedObject {
  /** Identifier as the actions take it. An identifier that is counted per validator (pool, vault), such as a withdrawal slot, may occur once for each. */
  readonly id: string
  /**
   * Key of the unit among all units of a wallet, whichever validator is the present one: the host recognises the unit by it.
   *
   * @default `id`, where no two units of a wallet can have the same
   */
  readonly key?: string
  readonly type: 'delegation' | 'withdrawal_request'
  readonly status: 'activating' | 'active' | 'deactivating' | 'withdrawable' | 'unknown'
  /** Principal; null when it could not be read. */
  readonly amount: bigint | null
  /**
   * Base units that lie in the unit in any phase: rewards increase them, and only a transaction decreases them. A decrease that nobody promised is reported as a loss.
   *
   * @default the amount
   */
  readonly holds?: bigint
  /** Rewards on top of the principal; null when they are reported for the address only, compounded, or not derivable. */
  readonly rewards: bigint | null
  /** Validator in the protocol's native form; null when the unit belongs to no single one. */
  readonly validator: string | null
  readonly activationEpoch: number | null
  readonly withdrawableEpoch: number | null
  readonly withdrawableAt: Date | null
}

/** Part of a position that lies with one validator (pool, vault), in base units. A null bucket does not apply to the protocol. */
export interface PositionPart {
  /** Validator in the protocol's native form. */
  readonly validator: string
  /** True for a validator that the operator's settings name as a former one. */
  readonly isFormer: boolean
  readonly staked: bigint
  readonly activating: bigint | null
  readonly deactivating: bigint | null
  readonly withdrawing: bigint | null
  readonly rewards: bigint | null
  /**
   * Shares by which the chain counts the part's stake. Present where stake counts at once and has no units of its own; the host then reports exits that nobody promised,
   * moves and slashes.
   *
   * @default not known, and nothing is told of what it loses
   */
  readonly share?: StakeShare
}

/** A position in base units. A null bucket does not apply to the protocol. */
export interface Balance {
  readonly staked: bigint
  readonly activating: bigint | null
  readonly deactivating: bigint | null
  readonly withdrawing: bigint | null
  readonly rewards: bigint | null
  /** null: the protocol has no addressable objects; empty: it has, and the address holds none. */
  readonly objects: readonly StakedObject[] | null
  /**
   * Parts of the position by validator, where the operator's settings name one: the present one first, then the former ones. The buckets are the sums of the parts.
   *
   * @default the position depends on no validator of the settings
   */
  readonly parts?: readonly PositionPart[]
  /**
   * Powers over the position that the wallet does not have alone; empty: the wallet decides alone, and nothing binds it. The host reports each change of them.
   *
   * @default the protocol reads none
   */
  readonly control?: readonly Control[]
  /** Height of the state from which the whole position was read. @default its parts may be of different ones, and shares are compared with nothing */
  readonly height?: bigint
  /** Digest of the position, as `digests` gives it. Absent where the protocol has none, or could not read the digest's parts. */
  readonly digest?: string
}

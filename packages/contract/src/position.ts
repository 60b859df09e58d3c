import type { Control, StakeShare } from './control.ts'

/** A unit of a position that has a real identifier of its own. Amounts in base units. */
export interface StakedObject {
  /** As the actions take it. One that counts for each validator (pool, vault) by itself, such as a withdrawal slot, may be there once for each. */
  readonly id: string
  /**
   * Name among all units of a wallet, whichever validator is the present one: the host knows a unit again by it.
   *
   * @default `id`, where no two units of a wallet can have the same
   */
  readonly key?: string
  readonly type: 'delegation' | 'withdrawal_request'
  readonly status: 'activating' | 'active' | 'deactivating' | 'withdrawable' | 'unknown'
  /** Principal; null when it could not be read. */
  readonly amount: bigint | null
  /**
   * Base units that lie in it whatever its phase: rewards make them more, and nothing but a transaction makes them less. A fall of them that nobody promised is told as a loss.
   *
   * @default the amount
   */
  readonly holds?: bigint
  /** On top of the principal; null when reported for the address only, compounded, or not derivable. */
  readonly rewards: bigint | null
  /** In the protocol's native form; null when not attributable to one. */
  readonly validator: string | null
  readonly activationEpoch: number | null
  readonly withdrawableEpoch: number | null
  readonly withdrawableAt: Date | null
}

/** Part of a position that lies with one validator (pool, vault), in base units. A null bucket does not apply to the protocol. */
export interface PositionPart {
  /** In the protocol's native form. */
  readonly validator: string
  /** True for one that the operator's settings name as a former one. */
  readonly isFormer: boolean
  readonly staked: bigint
  readonly activating: bigint | null
  readonly deactivating: bigint | null
  readonly withdrawing: bigint | null
  readonly rewards: bigint | null
  /**
   * Shares by which the chain counts its stake. Where it is there, stake counts at once and has no units of its own, and the host tells what it loses: exits that nobody promised, moves, slashes.
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
   * The same by validator, where the operator's settings name one: the present one first, then those that they name as former ones. The buckets are the sums.
   *
   * @default the position depends on no validator of the settings
   */
  readonly parts?: readonly PositionPart[]
  /**
   * Powers over the position that are not the wallet's alone; empty: it decides alone, and nothing binds it. The host tells each change of them.
   *
   * @default the protocol reads none
   */
  readonly control?: readonly Control[]
  /** Height of the state that all of it was read from. @default its parts may be of different ones, and shares are compared with nothing */
  readonly height?: bigint
  /** Digest that `digests` gives for the same position. Absent where the protocol has none, or could not read the digest's parts. */
  readonly digest?: string
}

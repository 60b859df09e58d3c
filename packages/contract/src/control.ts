export { ifServed, type Term, termsOf } from './terms.ts'

/**
 * A power over a position, or over one unit of it, that somebody else than the wallet has, or that binds the wallet: to move, to take or to lock it. What the wallet alone decides is not
 * listed.
 */
export interface Control {
  /** Name of the power, a word of the protocol in snake case, the same for each unit. Over a whole position `owner` says that it belongs to the holder. @example withdrawer */
  readonly aspect: string
  /** Who has it, in the chain's own form, whole; null where the chain names nobody. */
  readonly holder: string | null
  /** Identifier of the unit that it is over, as `StakedObject.id`; null: of the wallet's whole position. */
  readonly objectId: string | null
  /** Its bounds as the chain writes them, such as the end of a lockup or the message type of a grant; null: it has none. @example until 2100-01-01T00:00:00.000Z */
  readonly terms: string | null
  /**
   * Base units that its holder may still take by it. Its use makes it less, which is no change of the power; that it is more, or has no end any more, is one.
   *
   * @default it has no such bound, or none that its use makes less
   */
  readonly limit?: bigint
  /**
   * Weight of having gained it: `critical`, money can be taken by it; `warning`, terms are worse, or money can be bound; `info`, for the record.
   *
   * @default critical
   */
  readonly severity?: Severity
  /** Acts on the wallet's stake that its holder can do alone: an act of the kind that nobody promised is critical while somebody has it. @default none */
  readonly permits?: readonly ('exit' | 'move')[]
}

/** Weight of news of a position. */
export type Severity = 'critical' | 'warning' | 'info'

/**
 * What became of a unit that a wallet had and that its position shows no more: the powers that others have over it now, or null where the chain has no such unit any more. A unit that
 * could not be read, and one that is the wallet's still, is left out. The first power of a unit says whose it is.
 */
export type Departed = ReadonlyMap<string, readonly Control[] | null>

/** Stake of a wallet with a validator, as the chain counts it: a slash changes what shares are worth, and a transaction alone how many they are. */
export interface StakeShare {
  /** Shares of the wallet, in the chain's smallest part of one. */
  readonly own: bigint
  /** What `shares` are worth, in base units. */
  readonly tokens: bigint
  /** Shares of which the worth is known, such as those of all delegators; 0 where none are there to tell a rate. */
  readonly shares: bigint
}

/** Stake that was moved from one validator to another without leaving. */
export interface Redelegation {
  /** In the protocol's native form. */
  readonly from: string
  readonly to: string
  /** Base units. */
  readonly amount: bigint
}

export type { Stirring, StirringFeed, StirringListener, StirringSearch, Stirrings } from './stirring.ts'
export { ifServed, type Term, termsOf } from './terms.ts'

/**
 * A power to move, take or lock a position, or one unit of it, that somebody other than the wallet has, or that binds the wallet. A power that the wallet alone has is not
 * listed.
 */
export interface Control {
  /**
   * Name of the power, a word of the protocol in snake case, the same for each unit. On a whole position, `owner` says that the position belongs to the holder.
   *
   * @example withdrawer
   */
  readonly aspect: string
  /** Address of whoever has the power, complete and in the chain's own form; null where the chain names nobody. */
  readonly holder: string | null
  /** Identifier of the unit under this power, as `StakedObject.id`; null: the power is over the wallet's whole position. */
  readonly objectId: string | null
  /** Bounds of the power as the chain writes them, such as the end of a lockup or the message type of a grant; null: it has none. @example until 2100-01-01T00:00:00.000Z */
  readonly terms: string | null
  /**
   * Base units that the holder may still take by this power. A lower limit is the result of use, and no change of the power; a higher limit, or none any more, is a change.
   *
   * @default it has no such bound, or none that its use makes less
   */
  readonly limit?: bigint
  /**
   * Weight of the news that somebody gained the power: `critical`, money can be taken by it; `warning`, terms are worse, or money can be bound; `info`, for the record.
   *
   * @default critical
   */
  readonly severity?: Severity
  /** Acts on the wallet's stake that the holder can do alone. While somebody has this power, an unpromised act of that kind is reported as critical. @default none */
  readonly permits?: readonly ('exit' | 'move')[]
}

/** Weight of a piece of news about a position. */
export type Severity = 'critical' | 'warning' | 'info'

/**
 * Fate of units that a wallet once had and that its position no longer shows: the powers that others have over each of them now, or null where the chain no longer has the
 * unit. A unit that could not be read, or that still belongs to the wallet, is left out. The first power of a unit names its owner.
 */
export type Departed = ReadonlyMap<string, readonly Control[] | null>

/** Stake of a wallet with a validator, counted in the chain's shares: a slash changes what shares are worth, and only a transaction changes their number. */
export interface StakeShare {
  /** Shares of the wallet, in the chain's smallest fraction of a share. */
  readonly own: bigint
  /** Worth of `shares`, in base units. */
  readonly tokens: bigint
  /** Number of shares whose worth is `tokens`, such as those of all delegators; 0 where there are none to derive a rate from. */
  readonly shares: bigint
}

/** Stake that was moved from one validator to another without leaving. */
export interface Redelegation {
  /** Validator that the stake left, in the protocol's native form. */
  readonly from: string
  readonly to: string
  /** Moved stake in base units. */
  readonly amount: bigint
}

export { ifServed, type Term, termsOf } from './terms.ts'

/**
 * A power over a position, or over one unit of it, that somebody else than the wallet has, or that binds the wallet: to move, to take or to lock it. What the wallet alone decides is not
 * listed.
 */
export interface Control {
  /** Name of the power, a word of the protocol in snake case, the same for each unit. @example withdrawer */
  readonly aspect: string
  /** Who has it, in the chain's own form, whole; null where the chain names nobody. */
  readonly holder: string | null
  /** Identifier of the unit that it is over, as `StakedObject.id`; null: of the wallet's whole position. */
  readonly objectId: string | null
  /** Its bounds as the chain writes them, such as the end of a lockup or the message type of a grant; null: it has none. @example until 2100-01-01T00:00:00.000Z */
  readonly terms: string | null
}

/**
 * What became of a unit that a wallet had and that its position shows no more: the powers that others have over it now, or null where the chain has no such unit any more. A unit that
 * could not be read, and one that is the wallet's still, is left out. The first power of a unit says whose it is.
 */
export type Departed = ReadonlyMap<string, readonly Control[] | null>

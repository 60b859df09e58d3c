import type { Balance, Bounds, Condition, KnownPosition, Moved, Sighting, Subject } from '@svc/contract'
import type { Departed, Redelegation, StirringListener, Stirrings } from '@svc/contract/control'
import type { Move } from '@svc/verify/intent'
import type { BookLooks } from '../book-source.ts'

/** A transaction as it was seen, and what it really moved. */
export interface Look extends Omit<Sighting, 'receipt' | 'held' | 'unfinished' | 'holdsFrom'> {
  /** Amounts that the transaction moved; null until it is in a block, and where the protocol does not say. */
  readonly moved: Moved | null
}

/** A position as it was read, and the time of its next change. */
interface Position {
  readonly balance: Balance
  /** Time of the next change by itself, exact or estimated by the chain's pace. null: it changes only when its owner does something. */
  readonly due: Date | null
}

/** Source of positions and of the conditions of validators, pools or vaults: the failover, or one endpoint. */
export interface PositionSource {
  /** @throws 502, 503, 504 */
  balance(address: string): Promise<Balance>
  /** Tells of units that a position shows no more who has power over them, or that they are gone; null where the protocol does not tell. @throws 502, 503, 504 */
  readonly departed: ((address: string, ids: readonly string[]) => Promise<Departed>) | null
  /** Lists the moves of stake between validators after a height; null where the protocol does not tell them. @throws 502, 503, 504 */
  readonly redelegations: ((address: string, after: bigint) => Promise<readonly Redelegation[]>) | null
  /** Reads the conditions of the validators, pools or vaults; null where the protocol tells none. @throws 502, 503, 504 */
  readonly condition: (() => Promise<readonly Condition[]>) | null
}

/** Host's looks at one network of a plugin, with the account's settings. Each look asks the chain. */
export interface Looks {
  /** CAIP-2 name of the network. @example eip155:143 */
  readonly caip2: string
  /** Decimal places of its native token. */
  readonly decimals: number
  readonly symbol: string | null
  /** Usual time that a transaction waits for its block, in milliseconds. */
  readonly inclusionMs: number
  /** Returns an address in its canonical form. @throws 400 ADDRESS_INVALID */
  address(text: string): string
  /** Looks at a transaction; null where the family cannot. @throws 502, 503, 504 when no endpoint could tell */
  readonly transaction: ((subject: Subject) => Promise<Look>) | null
  /**
   * Asks every endpoint for a transaction that one of them took.
   *
   * @returns places in the config, from 0, of those that have not heard of it or do not show whether they have, where no more than one shows it; none where there is one endpoint
   * alone, and where the family tells nothing of it
   */
  lacking(subject: Subject): Promise<readonly number[]>
  /**
   * Sends signed bytes once more, as `signed` of a note has them.
   *
   * @param to places of the endpoints that get them, each by itself, as `lacking` names them @default one, by failover
   * @throws what a broadcast is refused with, by each of them; 502, 503, 504
   */
  send(signed: Readonly<Record<string, unknown>>, to?: readonly number[]): Promise<void>
  /** @throws 502, 503, 504 */
  position(address: string): Promise<Position>
  /** Tells of units that `position` shows no more who has power over them, or that they are gone; null where the protocol does not tell. @throws 502, 503, 504 */
  readonly departed: PositionSource['departed']
  /** Lists the moves of stake between validators after a height; null where the protocol does not tell them. @throws 502, 503, 504 */
  readonly redelegations: PositionSource['redelegations']
  /** Returns a source for each endpoint by itself, in the order of the config. They are asked where one endpoint's word is not enough for a change. */
  witnesses(): readonly PositionSource[]
  /**
   * Digests of positions by address, without those that could not be read; null where the protocol has none.
   *
   * @throws 502, 503, 504 when none could be read
   */
  readonly digests: ((positions: readonly KnownPosition[]) => Promise<ReadonlyMap<string, string>>) | null
  /** Interval at which digests are compared, in milliseconds; a day is a whole number of them. */
  readonly digestMs: number
  /** Search for the wallets whose positions were changed after a height, and its interval; null where the protocol has none. @see StirringSearch of the contract */
  readonly stirrings: {
    readonly everyMs: number
    search(after: bigint | null, watched: () => Promise<readonly string[]>): Promise<Stirrings | null>
    /** Subscription to what endpoints push, and the interval of the search meanwhile; null where the protocol has none. @see StirringFeed of the contract */
    readonly feed: {
      readonly searchMs: number
      listen(listener: StirringListener, watched: () => Promise<readonly string[]>): (() => void) | null
    } | null
  } | null
  /** Reads for the books of wallets; null where the protocol declares none, so that a book holds what `position` says. */
  readonly book: BookLooks | null
}

/** A transaction that is followed from now on. */
export interface Followed {
  readonly txHash: string
  /** Limits within which the transaction can land; null where only its hash is known. */
  readonly bounds: Bounds | null
  /** Who signed it, canonical, where whoever has it followed said so and its bounds do not. */
  readonly wallet?: string
  /** As in the audit log. */
  readonly unsignedHash?: string
  readonly sentence?: string
  /** Moves that the bytes of the transaction promise. */
  readonly moves?: readonly Move[]
}

/** State of a transaction, for the caller. */
export interface Standing extends Omit<Look, 'keep'> {
  readonly txHash: string
  /** null for one that the service does not follow. */
  readonly firstSeen: Date | null
  readonly checkedAt: Date
}

import type { Facts } from '../life/state.ts'

/**
 * Kinds of entries that a plugin tells, each for a move of units between the wallet, the buckets of a position, and the chain.
 *
 * - `deposit`: the wallet puts units in. `activation`: what waits begins to count. `redelegation`: from one validator to another.
 * - `exit_requested`, `exit_cancelled`, `withdrawal`: the way out, its end, and the way back.
 * - `reward`: what the chain pays. `claim`: rewards come to the wallet. `compound`: rewards become stake.
 * - `slash`: what the chain takes. `fee`: a fee of the protocol.
 * - `transfer_in`, `transfer_out`: units that come from, or go to, somebody else. `tokenize`: stake becomes a token, or a token stake.
 * - `rounding`: what the chain's own division takes off a position or adds to it, as its rule says to the unit.
 * - `rent_adjustment`, `block_revenue`: of Solana's stake accounts.
 */
export type FlowKind =
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
  | 'rounding'
  | 'rent_adjustment'
  | 'block_revenue'

/** Kinds that the book itself finds: a share price that moved, floors of divisions within their bound, and what nothing explains. */
type RemainderKind = 'revaluation' | 'rounding' | 'unexplained'

/** Kind of an entry of a book. */
export type EntryKind = FlowKind | RemainderKind

/**
 * Reason why something is not known.
 *
 * - `flow_missing`: units came or went, and no flow explains it.
 * - `claims_not_known`: rewards have grown by a known amount after claims, and it is not known that nothing was claimed.
 * - `endpoint_disagrees`: two answers about the same thing differ.
 * - `pruned`: no endpoint keeps the needed data any more. `no_index`: no endpoint finds transactions.
 * - `not_declared`: the plugin tells no flows, or no rewards.
 */
export type UnknownReason = 'flow_missing' | 'claims_not_known' | 'endpoint_disagrees' | 'pruned' | 'no_index' | 'not_declared'

/** Part of a position, or one such part for each of its units: each withdrawal slot has its own part of the bucket `exit`, with the key `exit:7`. */
export interface Bucket {
  /** Name in lower case with underscores. @example exit */
  readonly name: string
  /**
   * Asset of the bucket, in whose base units it counts: `native`, or another asset in the words of the protocol's moves. null: each of its units is of an asset of its own,
   * whose identifier is the unit's: `foreign:ics20:27394F…` counts `ics20:27394F…`.
   */
  readonly asset: string | null
  /**
   * Rule by which the bucket changes:
   *
   * - `principal`: by flows alone, so that opening and flows must add up to the closing, which proves that the flows are complete.
   * - `accrual`: rewards come in and claims go out, so that the sum alone proves nothing.
   * - `worth`: units of a share times their price; the remainder is the revaluation, as soon as the units add up.
   */
  readonly kind: 'principal' | 'accrual' | 'worth'
  /** Kinds of flows that change the bucket; a flow of another kind is a fault of the plugin. */
  readonly movedBy: readonly FlowKind[]
  /** Largest number of base units, either way, by which the chain's own arithmetic may make one flow inexact. @default 0n */
  readonly rounding?: bigint
  /** Name of the bucket that holds the units; for a bucket of kind `worth`. */
  readonly units?: string
}

/** Base units by the key of a bucket: its name, or name and unit, `exit:7`. A key that is left out stands for 0. */
export type Amounts = Readonly<Record<string, bigint>>

/** Block at which a position was read. */
export interface Mark {
  /** Height of the block, which is final; null where the chain does not say at which height it answered. */
  readonly height: bigint | null
  /** Hash of the block; null where it is not known. */
  readonly hash: string | null
  /** Time of the block, by the chain. */
  readonly time: Date
  readonly epoch: number | null
}

/** A whole position at one final height, never put together from readings of two heights. */
export interface BookReading {
  readonly mark: Mark
  readonly amounts: Amounts
  /** Facts of this height that the next interval is computed from, such as an accumulator. */
  readonly keep: Facts
}

/** Source or destination of units: a bucket by its key, the `wallet`, the `chain`, or `others` for anybody else. */
export type Place = string

/** Movement of units, as the chain has recorded it. */
export interface Flow {
  readonly kind: FlowKind
  /** Base units, above 0. */
  readonly amount: bigint
  readonly from: Place
  readonly to: Place
  /** Asset that moved. @default the asset of the bucket that it moves, else `native` */
  readonly asset?: string
  /** True where the chain's arithmetic has rounded nothing off the amount. @default false */
  readonly exact?: true
  /** Height of the movement, above that of the opening and at most that of the closing; null where the chain does not say where between the two. */
  readonly height: bigint | null
  readonly time: Date | null
  /** Hash of the transaction; null for a movement that the chain makes by itself. */
  readonly tx: string | null
  /** Index of the event in the block; null where it has none. */
  readonly index: number | null
}

/** All movements between two readings. */
export interface Flows {
  readonly flows: readonly Flow[]
  /** Reason why the list may be incomplete; null: its source says that it is complete. */
  readonly missing: UnknownReason | null
  /** Data for `earned` of the same interval; the host hands it on unread. */
  readonly trail?: unknown
}

/**
 * Earnings of an accrual bucket between two readings. `least` and `most`: bounds in base units by the chain's own rule, which differ only by what that rule leaves open.
 * `proven`: it is proven that nothing was claimed unseen, so that the remainder is the reward. `unknown`: not known, with the reason.
 */
export type Earning = { readonly least: bigint; readonly most: bigint } | { readonly proven: true } | { readonly unknown: UnknownReason }

/** Earnings of an interval. */
export interface Earnings {
  /** Earnings by the key of an accrual bucket; those of a bucket that is left out are not known. The name of a bucket whose units are assets stands for all that are in no other key. */
  readonly earnings: Readonly<Record<string, Earning>>
  /** Facts that the interval has shown, kept in addition to those of its closing reading. */
  readonly keep?: Facts
}

/**
 * Functions by which a plugin supplies the book of a wallet. `Ctx` is the plugin's context.
 *
 * The host reads positions, computes what moved between two readings, and keeps the entries. A function that cannot answer throws 502, 503 or 504, and the book waits.
 */
export interface Book<Ctx> {
  readonly buckets: readonly Bucket[]
  /**
   * Reads the whole position at the last final height.
   *
   * @param before the last reading of the book, whose facts may say which of many assets it keeps; left out: the book begins
   * @throws 502, 503, 504
   */
  reading(ctx: Ctx, wallet: string, before?: BookReading): Promise<BookReading>
  /** Tells whether the block of an earlier reading is still part of the chain. @default it is @throws 502, 503, 504 */
  holds?(ctx: Ctx, mark: Mark): Promise<boolean>
  /** Lists the movements between two readings. @default none is known, and what moves is not explained @throws 502, 503, 504 */
  flows?(ctx: Ctx, wallet: string, from: BookReading, to: BookReading): Promise<Flows>
  /**
   * Computes the earnings between two readings.
   *
   * @param flows as `flows` told them of the same interval
   * @default no reward is known
   * @throws 502, 503, 504
   */
  earned?(ctx: Ctx, wallet: string, from: BookReading, to: BookReading, flows: Flows): Promise<Earnings>
}

/** Finds the asset that the amount of a key is of: that of its bucket, or the one that the key itself names. A bucket that is declared no more counts the native one. */
export function assetOf(key: string, buckets: readonly Bucket[]): string {
  const name = bucketName(key)
  const bucket = buckets.find((each) => each.name === name)
  return bucket === undefined ? 'native' : (bucket.asset ?? key.slice(name.length + 1))
}

/** Returns the name of the bucket that a key stands for. @example exit:7 is of exit */
export function bucketName(key: string): string {
  const colon = key.indexOf(':')
  return colon < 0 ? key : key.slice(0, colon)
}

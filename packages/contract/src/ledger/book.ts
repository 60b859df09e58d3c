import type { Facts } from '../life/state.ts'

/**
 * Kinds of entries that a plugin tells, each for a move of units between the wallet, the buckets of a position, and the chain.
 *
 * - `deposit`: the wallet puts units in. `activation`: what waits begins to count. `redelegation`: from one validator to another.
 * - `exit_requested`, `exit_cancelled`, `withdrawal`: the way out, its end, and the way back.
 * - `reward`: what the chain pays. `claim`: rewards come to the wallet. `compound`: rewards become stake.
 * - `slash`: what the chain takes. `fee`: a fee of the protocol.
 * - `transfer_in`, `transfer_out`: units that come from, or go to, somebody else. `tokenize`: stake becomes a token, or a token stake.
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
  | 'rent_adjustment'
  | 'block_revenue'

/** Kinds that the book itself finds: a share price that moved, floors of divisions within their bound, and what nothing explains. */
type RemainderKind = 'revaluation' | 'rounding' | 'unexplained'

/** Kind of an entry of a book. */
export type EntryKind = FlowKind | RemainderKind

/**
 * Why something is not known.
 *
 * - `flow_missing`: units came or went, and no flow says why.
 * - `claims_not_known`: the growth of rewards is known less what was claimed, and that nothing was claimed is not.
 * - `endpoint_disagrees`: two answers about the same thing differ.
 * - `pruned`: no endpoint keeps what is needed any more. `no_index`: none finds transactions.
 * - `not_declared`: the plugin tells no flows, or no rewards.
 */
export type UnknownReason = 'flow_missing' | 'claims_not_known' | 'endpoint_disagrees' | 'pruned' | 'no_index' | 'not_declared'

/** One part of a position, or one for each of its units: of `exit` each withdrawal slot has its own, by the key `exit:7`. */
export interface Bucket {
  /** Lower case with underscores. @example exit */
  readonly name: string
  /** `native`, or another asset in the words of the protocol's moves. Base units of it. */
  readonly asset: string
  /**
   * - `principal`: changes by flows alone, so that its identity proves that the flows are whole.
   * - `accrual`: rewards come in, claims go out, so that its identity alone proves nothing.
   * - `worth`: units of a share times their price: its remainder is the revaluation, as soon as the identity of the units holds.
   */
  readonly kind: 'principal' | 'accrual' | 'worth'
  /** Kinds of flows that move it; another one is a fault of the plugin. */
  readonly movedBy: readonly FlowKind[]
  /** Most base units that one flow may be off by the chain's own arithmetic, either way. @default 0n */
  readonly rounding?: bigint
  /** Of `worth`: name of the bucket of its units. */
  readonly units?: string
}

/** Base units by the key of a bucket: its name, or name and unit, `exit:7`. One that is left out is 0. */
export type Amounts = Readonly<Record<string, bigint>>

/** The block at which a position was read. */
export interface Mark {
  /** Final; null where the chain does not say at which height it answered. */
  readonly height: bigint | null
  /** null where it is not known. */
  readonly hash: string | null
  /** By the chain. */
  readonly time: Date
  readonly epoch: number | null
}

/** A whole position at one final height: never put together from two. */
export interface BookReading {
  readonly mark: Mark
  readonly amounts: Amounts
  /** Facts of this height that the next interval is worked out from, such as an accumulator. */
  readonly keep: Facts
}

/** Somewhere that units come from or go to: a bucket by its key, the `wallet`, the `chain`, or `others`, who are somebody else. */
export type Place = string

/** Units that were seen to move. */
export interface Flow {
  readonly kind: FlowKind
  /** Base units, above 0. */
  readonly amount: bigint
  readonly from: Place
  readonly to: Place
  /** @default the asset of the bucket that it moves, else `native` */
  readonly asset?: string
  /** True where the chain's arithmetic has cut nothing of it: no rounding comes of it. @default false */
  readonly exact?: true
  /** Above the height of the opening, and not above that of the closing; null where it lies between the two and the chain does not say where. */
  readonly height: bigint | null
  readonly time: Date | null
  /** Hash of its transaction; null for what the chain does by itself. */
  readonly tx: string | null
  /** Place of its event in the block; null where it has none. */
  readonly index: number | null
}

/** Everything that moved between two readings. */
export interface Flows {
  readonly flows: readonly Flow[]
  /** Why the list may lack something, or null: its source says that it is whole. */
  readonly missing: UnknownReason | null
  /** Data for `earned` of the same interval, which the host hands on unread. */
  readonly trail?: unknown
}

/**
 * What an accrual bucket earned between two readings: by the chain's own rule, from `least` to `most` base units, alike but for what the rule leaves open; by a
 * proof that nothing was claimed unseen, so that the remainder is the reward; or not known.
 */
export type Earning = { readonly least: bigint; readonly most: bigint } | { readonly proven: true } | { readonly unknown: UnknownReason }

/** Earnings of an interval. */
export interface Earnings {
  /** By the key of an accrual bucket; one that is left out is not known. */
  readonly earnings: Readonly<Record<string, Earning>>
  /** Facts that the interval has shown, kept besides those of its closing reading. */
  readonly keep?: Facts
}

/**
 * What a plugin tells for the book of a wallet. `Ctx` is the plugin's context.
 *
 * The host reads positions, works out what moved between two readings, and keeps the entries. What cannot be told throws 502, 503 or 504, and the book waits.
 */
export interface Book<Ctx> {
  readonly buckets: readonly Bucket[]
  /** The whole position at the last final height. @throws 502, 503, 504 */
  reading(ctx: Ctx, wallet: string): Promise<BookReading>
  /** Tells whether the block of an earlier reading is still the chain's. @default it is @throws 502, 503, 504 */
  holds?(ctx: Ctx, mark: Mark): Promise<boolean>
  /** @default none is known, and what moves is not explained @throws 502, 503, 504 */
  flows?(ctx: Ctx, wallet: string, from: BookReading, to: BookReading): Promise<Flows>
  /** @param flows as `flows` told them of the same interval @default no reward is known @throws 502, 503, 504 */
  earned?(ctx: Ctx, wallet: string, from: BookReading, to: BookReading, flows: Flows): Promise<Earnings>
}

/** Name of the bucket that a key stands for. @example exit:7 is of exit */
export function bucketName(key: string): string {
  const colon = key.indexOf(':')
  return colon < 0 ? key : key.slice(0, colon)
}

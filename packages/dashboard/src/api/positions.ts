/** State of a watched position, worst first: of a position with stake in several, the first that fits. */
export type PositionState = 'unexplained' | 'unread' | 'stale' | 'withdrawable' | 'leaving' | 'activating' | 'earning' | 'empty'

/** Part of a position's life that a bucket holds; `units` are shares, which another bucket gives the worth of, and `foreign` other assets, which are in no sum. */
export type BucketRole = 'earning' | 'activating' | 'leaving' | 'withdrawable' | 'unclaimed' | 'units' | 'foreign'

/** Stake that its owner waits for. */
interface NextDue {
  /** `withdrawable`: it can be withdrawn; `leaves`: it is on its way out. */
  readonly kind: 'withdrawable' | 'leaves'
  /** ISO-8601, an estimate; null: now, or not known. */
  readonly at: string | null
  /** Decimal text; null where it is not known. */
  readonly amount: string | null
}

/** A watched wallet with one protocol, as GET /positions gives it. Amounts are decimal text in native tokens, times ISO-8601. */
export interface Position {
  /** Identifier of the watch. */
  readonly id: string
  readonly account: string
  /** Short name of the plugin. */
  readonly protocol: string
  /** CAIP-2. */
  readonly network: string
  /** Value for X-NETWORK. */
  readonly network_id: string
  readonly symbol: string | null
  readonly address: string
  readonly state: PositionState
  /** null: nothing was read yet. */
  readonly read_at: string | null
  readonly staked: string | null
  readonly activating: string | null
  readonly unclaimed: string | null
  readonly next_due: NextDue | null
  /** Earnings of the last 30 days in UTC; null: nothing is known of them. */
  readonly earned_30d: string | null
  /** Number of these days that are known. */
  readonly earned_days: number
  /** Annual rate of those days; null where it is not known. */
  readonly rate_percent: string | null
  readonly slashed_30d: boolean
  /** null: the wallet has no book yet. */
  readonly book: Book | null
}

/** State of a wallet's book. */
interface Book {
  readonly opened_at: string
  readonly complete: boolean
  /** Decimal text; `0` where everything is explained. */
  readonly unexplained: string
}

/** Sum of the positions of one network and token. */
export interface PositionTotal {
  /** CAIP-2. */
  readonly network: string
  readonly symbol: string | null
  readonly wallets: number
  readonly staked: string
  readonly activating: string
  /** Number of wallets that are not in the sums, since they have no figures yet. */
  readonly missing: number
}

/** Number of positions in each state. */
export type StateCounts = Readonly<Record<PositionState, number>>

/** Answer of GET /positions: a part of the list, with totals and counts of all that its filter lets through, whatever their state. */
export interface PositionList {
  /** Worst first. */
  readonly positions: readonly Position[]
  readonly next: string | null
  readonly totals: readonly PositionTotal[]
  readonly counts: StateCounts
}

/** An amount in a bucket, such as `exit:7`. */
export interface BucketAmount {
  readonly bucket: string
  /** null: of another asset than the native one. */
  readonly amount: string | null
  readonly amount_base: string
}

/** A day of a book, in UTC. */
export interface PositionDay {
  /** Such as `2026-11-28`. */
  readonly day: string
  /** Amounts at the last reading of the day; null: there was none. */
  readonly buckets: readonly BucketAmount[] | null
  readonly earned: string | null
  /** True if everything that the day's readings show is explained. */
  readonly complete: boolean
  readonly unexplained: string
  readonly slashed: string
}

/** A bucket that a protocol's books have. */
export interface PositionBucket {
  readonly name: string
  readonly kind: 'principal' | 'accrual' | 'worth'
  readonly role: BucketRole
}

/** Answer of GET /positions/{protocol}/{network}/{address}. */
export interface PositionDetail extends Position {
  /** Oldest first. */
  readonly days: readonly PositionDay[]
  readonly buckets: readonly PositionBucket[]
}

/** Lists the parts of the path of a wallet's page. */
export function partsOfPosition({
  protocol,
  network_id,
  address,
  account,
}: Pick<Position, 'protocol' | 'network_id' | 'address' | 'account'>): readonly string[] {
  return ['positions', protocol, network_id, address, account]
}

/** Hint that the chain has changed a wallet's position, or who has power over it. A hint only makes the host look: what is told of the position is read. */
export interface Stirring {
  /** Canonical address of the wallet, watched or not. */
  readonly wallet: string
  /** Height of the change: a position that was read at this height or above shows it already. @default not known, and the position is read again */
  readonly height?: bigint
}

/** Result of one search for stirrings. */
export interface Stirrings {
  readonly wallets: readonly Stirring[]
  /** Height up to which was searched, from which the next search goes on. @default the search compares with its own last result, and asks for no height */
  readonly height?: bigint
  /** True if the search goes on behind `height`, since one answer did not hold all. @default false */
  readonly isPart?: boolean
}

/** Search for the wallets of a whole network whose positions were changed, by an index or by logs that the chain's nodes may offer. */
export interface StirringSearch<C> {
  /**
   * Interval at which the host searches, in seconds: how late a change from elsewhere may be found. Each search of a network with watched wallets costs its calls, whatever their number.
   */
  readonly everySeconds: number
  /**
   * Searches the blocks after a height, in few calls with bounded answers. A wallet may be reported twice, and whoever is not watched too.
   *
   * @param after height as the last search has returned it, in whichever process; null: it has returned none, and the search begins with the present block
   * @param watched lists the wallets that the host watches on the network, for what the chain can only be asked of each
   * @returns null where no endpoint offers what is searched: the host asks again after an hour
   * @throws 502, 503, 504
   */
  search(ctx: C, after: bigint | null, watched: () => Promise<readonly string[]>): Promise<Stirrings | null>
  /** Subscription by which an endpoint pushes stirrings as they happen. @default they are found by the search alone */
  readonly feed?: StirringFeed<C>
}

/** Subscription to stirrings that endpoints push, besides the search, which then runs less often. */
export interface StirringFeed<C> {
  /** Interval of the search while an endpoint pushes, in seconds: how late a change may be found that an endpoint leaves out. */
  readonly searchSeconds: number
  /**
   * Begins to listen at one endpoint, and goes to the next when that one ends, until it is closed. Never throws, and returns at once: `listener` hears when it has begun. Everything that is pushed has a
   * bound, and what no node sends ends the connection. The means for it is `Upstream.listen`.
   *
   * @param watched lists the wallets that the host watches on the network, as of the search
   * @returns the function that ends it, after which `listener` hears nothing; null where the host has no means to listen
   */
  listen(ctx: C, listener: StirringListener, watched: () => Promise<readonly string[]>): (() => void) | null
}

/** Receiver of what a subscription pushes. Calls of it are cheap and may come in bursts. */
export interface StirringListener {
  /** Called when a subscription has begun: whatever stirs from now on is pushed. The host searches once, for what happened before. */
  live(): void
  /** @param wallets that have stirred, watched or not; null: something has stirred, and the search tells which wallets */
  stirred(wallets: readonly Stirring[] | null): void
  /** Called when nothing is pushed, until `live` is called: it has ended, or could not begin. @param reason a few plain words without an address */
  deaf(reason: string): void
}

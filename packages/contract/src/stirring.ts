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
}

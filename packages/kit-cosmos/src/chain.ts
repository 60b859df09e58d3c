/**
 * What distinguishes one chain of the family from another, as far as its code fixes it: data, and nothing else. What an operator or the
 * chain's governance may change is a setting or is read from the chain.
 */
export interface CosmosChain {
  /** Prefix of account addresses: `cosmos`. That of validators is this and `valoper`. */
  readonly prefix: string
  /** Base unit of the token that is staked and that fees are paid in: `uatom`. */
  readonly denom: string
  /** Decimal places of the token: of how many base units one token is. */
  readonly decimals: number
  /** Where the chain tells what gas costs now; the highest answer counts. A node that does not serve one of them is no failure. */
  readonly gasPrices: readonly GasPriceQuery[]
  /** Defaults of the settings on gas prices: decimal texts of base units for one unit of gas. */
  readonly gasPrice: {
    /** What nodes take at least. */
    readonly minimum: string
    /** Assumed when the chain tells none. */
    readonly fallback: string
    /** Percent of the price that is paid, because it moves before the transaction lands. */
    readonly percent: number
  }
  /** Path of the query for a year's issuance; its answer has the form of `cosmos.mint`. */
  readonly provisions: string
  /** How long a transaction usually waits for its block, in milliseconds: the time between two. */
  readonly inclusionMs: number
  /**
   * Gas that a delivery takes and a simulation with fee and signature does not contain, whatever is sent; 0 where the chain simulates what it delivers.
   *
   * @default 0
   */
  readonly gasBeyondSimulation?: bigint
  /** Method of the node by which a transaction is found by its hash. */
  readonly lookup: 'tx' | 'tx_status'
}

/** A query that answers a gas price in its field 1. */
export interface GasPriceQuery {
  readonly path: string
  /** True when the request names the denom in its field 1; without it the request is empty. */
  readonly byDenom?: boolean
  /** `dec` is a decimal of 18 places as text, `dec-coin` one within a DecCoin, `double` an IEEE 754 number. */
  readonly answer: 'dec' | 'dec-coin' | 'double'
  /** True where the node answers it itself, with its gRPC switched on, rather than a module of the chain. */
  readonly ofNode?: boolean
}

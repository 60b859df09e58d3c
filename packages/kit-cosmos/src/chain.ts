/**
 * Differences between one chain of the family and another, as far as the chain's code fixes them: data, and nothing else. A value that
 * an operator or the chain's governance may change is a setting or is read from the chain.
 */
export type CosmosChain = ChainKeys & ChainData

/**
 * Which kind of key the accounts of a chain have, with no default: the other one makes addresses that belong to nobody, and coins that are sent there are lost.
 * `inspect` asks the chain for it.
 */
export type ChainKeys =
  | { readonly algorithm: 'secp256k1'; readonly keyType?: undefined }
  | {
      /** Keys of Ethereum: an address is the end of keccak-256 of the point, and keccak-256 of the sign document is signed. */
      readonly algorithm: 'ethsecp256k1'
      /** Type URL of the chain's public keys: `/injective.crypto.v1beta1.ethsecp256k1.PubKey`. */
      readonly keyType: string
    }

/** Kind of key, and the prefix of addresses: what an account is known by. */
export type ChainAccounts = ChainKeys & Pick<ChainData, 'prefix'>

/** All but the keys. */
interface ChainData {
  /** Prefix of account addresses: `cosmos`. That of validators is this and `valoper`. */
  readonly prefix: string
  /** Base unit of the token that is staked and that fees are paid in: `uatom`. */
  readonly denom: string
  /** Decimal places of the token: of how many base units one token is. */
  readonly decimals: number
  /** Queries that tell what gas costs now; the highest answer counts. A node that does not serve one of these queries is no failure. */
  readonly gasPrices: readonly GasPriceQuery[]
  /** Defaults of the settings on gas prices: decimal texts of base units for one unit of gas. */
  readonly gasPrice: {
    /** Least price that nodes take. */
    readonly minimum: string
    /** Assumed when the chain tells none. */
    readonly fallback: string
    /**
     * How many times `minimum` one node is believed to say that gas costs.
     *
     * @default 8
     */
    readonly ceiling?: number
    /** Percent of the price that is paid, because it moves before the transaction lands. */
    readonly percent: number
  }
  /** How the chain says what its stakers are given in a year. */
  readonly issuance: Issuance
  /** Usual time that a transaction waits for its block, in milliseconds: the time between two blocks. */
  readonly inclusionMs: number
  /**
   * Gas that a delivery takes and a simulation with fee and signature does not contain, whatever is sent; 0 where the chain simulates what it delivers.
   *
   * @default 0
   */
  readonly gasBeyondSimulation?: bigint
  /**
   * True if the chain keeps rewards when a delegation changes, and pays them by a claim alone, along with a new reward of a whole unit.
   *
   * @default false: they are paid when a delegation changes
   */
  readonly parksRewards?: boolean
  /**
   * True if the chain reads and writes its community pool only with a payout that leaves a remainder, so that a simulation in the block of a delegation's last change,
   * in which nothing is owed, does not contain the pool's gas. This gas grows with the denominations of the pool.
   *
   * @default false
   */
  readonly poolWithPayout?: boolean
  /**
   * True if every transaction uses a sequence of its first signer: the chain takes none that is unordered. A book rests on it: that nobody has claimed is proven by the sequences.
   *
   * @default false: not known, and no book is kept but of readings
   */
  readonly sequenced?: true
  /** Method of the node by which a transaction is found by its hash. */
  readonly lookup: 'tx' | 'tx_status'
}

/**
 * How a chain says what its stakers are given in a year. The answers of the forms look the same on the wire (a decimal in field 1), so that the wrong one gives a rate that is
 * plausible and wrong: the form is data, asked by the method of its own, and what is answered is bounded.
 */
export type Issuance =
  | {
      /** An amount a year: `Query/AnnualProvisions`. */
      readonly form: 'annual'
      /** Package of the module: `cosmos.mint.v1beta1`. */
      readonly module: string
    }
  | {
      /** An amount an epoch, of which stakers get a share: `Query/EpochProvisions` and `Query/Params`. */
      readonly form: 'epoch'
      /** `osmosis.mint.v1beta1`. */
      readonly module: string
      /** Package of the module that says how long an epoch is, `Query/EpochInfos`: `osmosis.epochs.v1beta1`. */
      readonly epochs: string
    }
  | {
      /** The rate itself, of what is staked and before the commission: `Query/AnnualizedRewards`. */
      readonly form: 'rate-of-bonded'
      /** `kava.community.v1beta1`. */
      readonly module: string
    }
  | {
      /** The chain does not tell: `staking_apr` is null, and not 0. */
      readonly form: 'none'
    }

/** A query that answers a gas price in its field 1. */
export interface GasPriceQuery {
  readonly path: string
  /** True when the request names the denom in its field 1; without it the request is empty. */
  readonly byDenom?: boolean
  /** `dec` is a decimal of 18 places as text, `dec-in-message` one in field 1 of a message, `dec-coin` one within a DecCoin, `double` an IEEE 754 number. */
  readonly answer: 'dec' | 'dec-in-message' | 'dec-coin' | 'double'
  /** True where the node answers it itself, with its gRPC switched on, rather than a module of the chain. */
  readonly ofNode?: boolean
}

/**
 * What a chain is made of: everything in which one chain of the family differs from another. Amounts are decimal text in native
 * units, rates decimal text with 1 as the whole.
 */
export interface CosmosGenesis {
  /** Of account addresses; `<prefix>valoper` and `<prefix>valcons` follow from it. */
  readonly prefix: string
  /** Denomination of stake and fees, in base units. */
  readonly denom: string
  readonly decimals: number
  /** How far a block moves the clock when nobody says otherwise. */
  readonly blockSeconds: number
  /** Longest memo in characters. */
  readonly maxMemo: number
  /** Coins that exist besides what is staked and what is funded later. */
  readonly idleSupply: string
  readonly staking: {
    readonly unbondingSeconds: number
    readonly maxEntries: number
    readonly maxValidators: number
    readonly minCommission: string
  }
  readonly distribution: {
    readonly communityTax: string
    /** Rewards are kept for a claim when a delegation changes, and not paid out (CIP-30). */
    readonly parksRewards: boolean
  }
  readonly slashing: {
    readonly doubleSignFraction: string
    readonly downtimeFraction: string
    readonly downtimeJailSeconds: number
    readonly signedBlocksWindow: number
    readonly minSignedPerWindow: string
  }
  readonly mint: InflationMint | ScheduleMint
  readonly fees: FeeMarket | MinimumPrice
  readonly node: {
    /** Whether `tx` and `tx_search` find anything. */
    readonly txIndex: boolean
    /** Whether it is celestia-core: `tx_status`, and its own text for a transaction that comes twice. */
    readonly celestiaCore: boolean
  }
  /** The first is the operator's. */
  readonly validators: readonly GenesisValidator[]
}

/** A yearly share of the supply, as the Cosmos Hub mints; the share stays what it is. */
export interface InflationMint {
  readonly kind: 'inflation'
  readonly inflation: string
  readonly inflationMax: string
  readonly inflationMin: string
  readonly inflationRateChange: string
  readonly goalBonded: string
  readonly blocksPerYear: number
}

/** A share that falls every year since the network began, as Celestia mints. */
export interface ScheduleMint {
  readonly kind: 'schedule'
  /** ISO-8601. */
  readonly since: string
  readonly initial: string
  readonly disinflation: string
  readonly floor: string
}

/** A base price that moves with the use of blocks, and an ante handler that looks at the signature first. */
export interface FeeMarket {
  readonly kind: 'feemarket'
  readonly minBasePrice: string
  readonly learningRate: string
  /** Gas of a full block; half of it keeps the price. */
  readonly maxBlockGas: number
}

/** A fixed price of this node, and an ante handler that looks at the fee first. */
export interface MinimumPrice {
  readonly kind: 'minimum'
  readonly nodePrice: string
  readonly networkPrice: string
}

/** A validator that is there from the start. Its account and its keys are made from its name; nobody has them. */
export interface GenesisValidator {
  readonly moniker: string
  /** Its own delegation, one share for one token. */
  readonly tokens: string
  readonly commission: string
}

/**
 * Genesis of a chain: everything in which one chain of the family differs from another. Amounts are decimal text in native
 * units, rates decimal text with 1 as the whole.
 */
export type CosmosGenesis = GenesisKeys & {
  /** Prefix of account addresses; `<prefix>valoper` and `<prefix>valcons` follow from it. */
  readonly prefix: string
  /** Denomination of stake and fees, in base units. */
  readonly denom: string
  readonly decimals: number
  /** Time by which a block moves the clock when nobody says otherwise. */
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
  readonly mint: InflationMint | ScheduleMint | EpochMint | RateMint
  readonly fees: FeeMarket | MinimumPrice
  readonly node: {
    /** True if `tx` and `tx_search` find anything: `indexer = "kv"`. On by default on the Hub, off on Celestia. */
    readonly txIndex: boolean
    /** True if `block_results` answers: `discard_abci_responses = false`. On by default on the Hub, off on Celestia. */
    readonly keepsResults: boolean
    /** True if the node is celestia-core: `tx_status`, and its own text for a transaction that comes twice. */
    readonly celestiaCore: boolean
  }
  /** The first is the operator's. */
  readonly validators: readonly GenesisValidator[]
}

/** Which kind of key the accounts of a chain have. */
export type GenesisKeys =
  | { readonly algorithm: 'secp256k1'; readonly keyType?: undefined }
  | {
      /** Keys of Ethereum: keccak-256 makes the address and is what is signed. */
      readonly algorithm: 'ethsecp256k1'
      /** Type URL of the chain's public keys. */
      readonly keyType: string
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

/** A fixed amount an epoch, of which stakers get a share, as Osmosis mints; here by time, and not at once at the end of an epoch. */
export interface EpochMint {
  readonly kind: 'epoch'
  /** Native units. */
  readonly perEpoch: string
  /** What x/epochs calls the epoch, and its length. */
  readonly epoch: { readonly identifier: string; readonly seconds: number }
  /** Share of the stakers. The rest is not minted here. */
  readonly stakers: string
}

/** A rate of what is bonded, before the commission, as Kava pays from its community pool; here it is minted. */
export interface RateMint {
  readonly kind: 'rate'
  readonly rate: string
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
  /** Where the chain tells its price, as a decimal of 18 places: alone, or in a message of its own. Without it only celestia-core tells one. */
  readonly query?: { readonly path: string; readonly form: 'dec' | 'dec-in-message' }
}

/** A validator that is there from the start. Its account and its keys are made from its name; nobody has them. */
export interface GenesisValidator {
  readonly moniker: string
  /** Its own delegation, one share for one token. */
  readonly tokens: string
  readonly commission: string
  /** Its address; made from its name when absent. The account behind it is of the same bytes. */
  readonly operator?: string
  /** Key of its account in hex, compressed, which the chain has seen: its address is this key's, by the chain's kind of keys, unless `operator` names one. Absent: an account that has never signed. */
  readonly publicKey?: string
  /** Its ed25519 key for blocks in base64; made from its address when absent. */
  readonly consensusKey?: string
}

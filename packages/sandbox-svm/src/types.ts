/** An account as the chain holds it. Amounts are lamports. */
export interface SvmAccount {
  readonly lamports: bigint
  /** Program that owns it. */
  readonly owner: string
  readonly data: Uint8Array
  readonly executable: boolean
}

/** Head of the chain. */
export interface SvmHead {
  /** Block height; `mine` moves it by one each. */
  readonly block: number
  /** Seconds since 1970 of the Clock sysvar. */
  readonly timestamp: number
  readonly slot: number
  readonly epoch: number
}

/** A validator that a scenario asks for. */
export interface SvmValidatorOptions {
  /** Its keys are made from it, so that they are the same in every run. */
  readonly name: string
  /** Commission on inflation rewards in basis points: 500 is 5 %. */
  readonly commissionBps: number
  /** Lamports that others have delegated to it already; effective from the start. @default 1,000,000 SOL */
  readonly stake?: bigint
}

/** A stake account that a scenario gives somebody. */
export interface SvmStakeOptions {
  readonly name: string
  /** Its only authority. */
  readonly wallet: string
  /** The validator's vote account. */
  readonly vote: string
  /** Lamports that are delegated, at work since long ago; the reserve comes on top. */
  readonly amount: bigint
  /** True if the stake was deactivated, and has cooled down. */
  readonly cooledDown: boolean
}

export interface SvmValidator {
  readonly vote: string
  readonly identity: string
}

/** A share; none when the denominator is 0. */
export interface SvmFee {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Fees of a stake pool; none unless given. */
export interface SvmStakePoolFees {
  /** Fee on the rewards of an epoch. */
  readonly epoch?: SvmFee
  readonly solDeposit?: SvmFee
  readonly solWithdrawal?: SvmFee
  readonly stakeDeposit?: SvmFee
  readonly stakeWithdrawal?: SvmFee
  /** Percent of the deposit fee that goes to the referrer, 0 to 100. */
  readonly solReferral?: number
  readonly stakeReferral?: number
}

/** A stake pool that a scenario asks for. */
export interface SvmStakePoolOptions {
  /** Its addresses are made from it, so that they are the same in every run. */
  readonly name: string
  /** @default the SPL stake pool program of the cluster */
  readonly program?: string
  /** Address of the pool account. @default made from the name */
  readonly pool?: string
  /** Address of the mint of its tokens. @default made from the name */
  readonly mint?: string
  /** Vote accounts that it delegates to. */
  readonly validators?: readonly string[]
  /** Lamports delegated to each of them at the start, effective. @default 100 SOL */
  readonly stake?: bigint
  /** Lamports in the reserve at the start, besides its rent. @default 1,000 SOL */
  readonly deposit?: bigint
  /** Pool tokens (base units) there are at the start, in an account of nobody's. @default as many as lamports, a rate of 1 */
  readonly supply?: bigint
  readonly fees?: SvmStakePoolFees
  /** Vote account that deferred withdrawals have to take from while it has enough. */
  readonly preferredWithdraw?: string
  /** Whoever has to sign deposits or withdrawals of SOL besides the wallet; nobody when absent. */
  readonly solDepositAuthority?: string
  readonly solWithdrawAuthority?: string
}

export interface SvmStakePool {
  readonly program: string
  readonly pool: string
  readonly mint: string
  readonly reserve: string
  readonly validatorList: string
  readonly managerFeeAccount: string
  readonly withdrawAuthority: string
  readonly manager: string
}

/** Stake of the cluster that is not in accounts here, for the warm-up and cool-down limits of 9 % an epoch. Lamports. */
export interface SvmCluster {
  readonly effective: bigint
  readonly activating: bigint
  readonly deactivating: bigint
}

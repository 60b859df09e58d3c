export interface Network {
  readonly name: string
  readonly chain_id: string
  readonly is_default: boolean
}

/** What staking means on a network, as every protocol answers it. */
export interface Terms {
  readonly staking_apr: number | null
  readonly staking_reward_fee: number | null
  readonly stake_activation_max_time: number | null
  readonly stake_deactivation_max_time: number | null
  readonly min_stake_amount: string | null
}

/** A stake account. */
export interface StakeAccount {
  readonly id: string
  readonly status: 'activating' | 'active' | 'deactivating' | 'withdrawable' | 'unknown'
  readonly amount: number
  readonly validator_address: string | null
}

/** Where a position stands. Amounts have nine decimals; a double holds them. */
export interface Position {
  readonly staked_amount: number
  readonly stake_activation_amount: number | null
  readonly stake_deactivation_amount: number | null
  readonly stake_withdrawing_amount: number | null
  readonly staking_objects: readonly StakeAccount[] | null
}

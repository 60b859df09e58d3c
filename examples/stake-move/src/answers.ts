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

/** A stake: an object of its own on the chain. `rewards_amount` is what it would pay on top of `amount` now; null when that cannot be said. */
export interface StakeObject {
  readonly id: string
  readonly status: 'activating' | 'active' | 'unknown'
  readonly amount: number | null
  readonly rewards_amount: number | null
  readonly validator_address: string | null
}

/** Where a position stands. Amounts have nine decimals; a double holds them. Nothing is ever on its way out, so those two buckets are null. */
export interface Position {
  readonly staked_amount: number
  readonly stake_activation_amount: number
  readonly stake_rewards_amount: number | null
  readonly staking_objects: readonly StakeObject[]
}

/** Amounts come as numbers where a double holds them, and as text where it does not. */
export type Amount = number | string

/** What staking means on a network, as every protocol answers it. */
export interface Terms {
  readonly staking_apr: number | null
  readonly staking_reward_fee: number | null
  readonly stake_activation_max_time: number | null
  readonly stake_deactivation_max_time: number | null
  readonly min_stake_amount: string | null
}

export interface Network {
  readonly name: string
  readonly chain_id: string
  readonly is_default: boolean
}

/** Where a position stands; null for what the protocol does not know. */
export interface Position {
  readonly staked_amount: Amount
  readonly stake_activation_amount: Amount | null
  readonly stake_deactivation_amount: Amount | null
  readonly stake_withdrawing_amount: Amount | null
  readonly stake_rewards_amount: Amount | null
  readonly staking_objects: readonly { readonly id: string; readonly status: string; readonly amount: Amount }[]
}

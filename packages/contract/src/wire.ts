import type { Static } from 'typebox'
import { amountNumber, formatAmount } from './amount.ts'
import type { ExactNumber } from './json.ts'
import type { Balance, Info, StakedObject } from './protocol.ts'
import type { StakingBalanceSchema, StakingInfoSchema, StakingObjectSchema } from './schemas.ts'

/** A position as the wire names it; amounts become exact decimals in tokens. */
export function balanceToWire(balance: Balance, decimals: number): Static<typeof StakingBalanceSchema> {
  return {
    staked_amount: amountNumber(balance.staked, decimals),
    stake_activation_amount: nullable(balance.activating, decimals),
    stake_deactivation_amount: nullable(balance.deactivating, decimals),
    stake_withdrawing_amount: nullable(balance.withdrawing, decimals),
    stake_rewards_amount: nullable(balance.rewards, decimals),
    staking_objects: balance.objects?.map((object) => objectToWire(object, decimals)) ?? null,
  }
}

/** A network's terms as the wire names them; a member whose source never answered is null. */
export function infoToWire(info: Info, decimals: number): Static<typeof StakingInfoSchema> {
  return {
    stake_activation_max_time: info.activationMinutes ?? null,
    stake_deactivation_max_time: info.deactivationMinutes ?? null,
    withdrawal_max_time: info.withdrawalMinutes ?? null,
    staking_reward_fee: percent(info.rewardFeePercent),
    withdrawal_fee: percent(info.withdrawalFeePercent),
    staking_apr: percent(info.aprPercent),
    staking_apy: percent(info.apyPercent),
    max_slashing_percentage: percent(info.maxSlashingPercent),
    min_stake_amount: info.minStake == null ? null : formatAmount(info.minStake, decimals),
    max_stake_amount: info.maxStake == null ? null : formatAmount(info.maxStake, decimals),
    users: info.users ?? null,
    tvl_usd: info.tvlUsd ?? null,
    tvl_token: nullable(info.tvl ?? null, decimals),
  }
}

/** Twelve significant digits: what a percentage carries, without the dust of binary fractions (14.1912, not 14.191199999999998). */
function percent(value: number | null | undefined): number | null {
  return value == null ? null : Number(value.toPrecision(12))
}

function objectToWire(object: StakedObject, decimals: number): Static<typeof StakingObjectSchema> {
  return {
    id: object.id,
    type: object.type,
    status: object.status,
    amount: nullable(object.amount, decimals),
    rewards_amount: nullable(object.rewards, decimals),
    validator_address: object.validator,
    activation_epoch: object.activationEpoch,
    withdrawable_epoch: object.withdrawableEpoch,
    withdrawable_at: object.withdrawableAt?.toISOString() ?? null,
  }
}

function nullable(amount: bigint | null, decimals: number): ExactNumber | null {
  return amount === null ? null : amountNumber(amount, decimals)
}

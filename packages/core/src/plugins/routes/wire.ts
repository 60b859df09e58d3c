import { amountNumber, type Balance, formatAmount, MOST_UNITS, malformedAnswer, type PositionPart, type StakedObject } from '@svc/contract'
import type { Control } from '@svc/contract/control'
import { type ExactNumber, isHeld } from '@svc/contract/host'
import type { Static } from 'typebox'
import type { Terms } from '../network/terms.ts'
import { centsOf, type Price } from '../price.ts'
import type { StakingBalanceSchema, StakingControlSchema, StakingInfoSchema, StakingObjectSchema, StakingPartSchema } from './schemas.ts'

/**
 * Writes a position for callers; amounts become exact decimals in tokens.
 *
 * @throws 502 UPSTREAM_ERROR for what no position can be: less than nothing, more than any token has, a time or an epoch that is none
 */
export function balanceToWire(balance: Balance, decimals: number): Static<typeof StakingBalanceSchema> {
  return {
    staked_amount: positionAmount(balance.staked, decimals),
    stake_activation_amount: positionAmount(balance.activating, decimals),
    stake_deactivation_amount: positionAmount(balance.deactivating, decimals),
    stake_withdrawing_amount: positionAmount(balance.withdrawing, decimals),
    stake_rewards_amount: positionAmount(balance.rewards, decimals),
    staking_objects: balance.objects?.map((object) => objectToWire(object, decimals)) ?? null,
    ...(balance.parts?.some((part) => part.isFormer && isHeld(part))
      ? { by_validator: balance.parts.filter(isHeld).map((part) => partToWire(part, decimals)) }
      : {}),
    ...(balance.control === undefined ? {} : { control: balance.control.map((power) => controlToWire(power, decimals)) }),
  }
}

function controlToWire({ aspect, holder, objectId, terms, limit }: Control, decimals: number): Static<typeof StakingControlSchema> {
  return { aspect, holder, object_id: objectId, terms, limit_amount: limit === undefined ? null : positionAmount(limit, decimals) }
}

function partToWire({ validator, isFormer, ...part }: PositionPart, decimals: number): Static<typeof StakingPartSchema> {
  return {
    validator_address: validator,
    former: isFormer,
    staked_amount: positionAmount(part.staked, decimals),
    stake_activation_amount: positionAmount(part.activating, decimals),
    stake_deactivation_amount: positionAmount(part.deactivating, decimals),
    stake_withdrawing_amount: positionAmount(part.withdrawing, decimals),
    stake_rewards_amount: positionAmount(part.rewards, decimals),
  }
}

/** Writes the terms of a network for callers; what is staked is in dollars to the cent. */
export function infoToWire(terms: Terms, decimals: number, price: Price | null): Static<typeof StakingInfoSchema> {
  return {
    stake_activation_max_time: terms.activationMinutes,
    stake_deactivation_max_time: terms.deactivationMinutes,
    withdrawal_max_time: terms.withdrawalMinutes,
    staking_reward_fee: percent(terms.rewardFeePercent),
    withdrawal_fee: percent(terms.withdrawalFeePercent),
    staking_apr: percent(terms.aprPercent),
    staking_apy: percent(terms.apyPercent),
    max_slashing_percentage: percent(terms.maxSlashingPercent),
    min_stake_amount: terms.minStake === null ? null : formatAmount(terms.minStake, decimals),
    max_stake_amount: terms.maxStake === null ? null : formatAmount(terms.maxStake, decimals),
    users: terms.users,
    tvl_usd: terms.tvl === null || price === null ? null : amountNumber(centsOf(terms.tvl, decimals, price), 2),
    tvl_token: nullable(terms.tvl, decimals),
  }
}

/** Rounds a percentage to the twelve significant digits that it carries, without the dust of binary fractions (14.1912, not 14.191199999999998). */
function percent(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(12))
}

function objectToWire(object: StakedObject, decimals: number): Static<typeof StakingObjectSchema> {
  return {
    id: object.id,
    type: object.type,
    status: object.status,
    amount: positionAmount(object.amount, decimals),
    rewards_amount: positionAmount(object.rewards, decimals),
    validator_address: object.validator,
    activation_epoch: epoch(object.activationEpoch),
    withdrawable_epoch: epoch(object.withdrawableEpoch),
    withdrawable_at: instant(object.withdrawableAt),
  }
}

function positionAmount(amount: bigint, decimals: number): ExactNumber
function positionAmount(amount: bigint | null, decimals: number): ExactNumber | null
function positionAmount(amount: bigint | null, decimals: number): ExactNumber | null {
  if (amount !== null && (amount < 0n || amount > MOST_UNITS)) throw malformedAnswer(amount).refusal
  return nullable(amount, decimals)
}

function epoch(number: number | null): number | null {
  if (number !== null && !(Number.isSafeInteger(number) && number >= 0)) throw malformedAnswer(number).refusal
  return number
}

function instant(at: Date | null): string | null {
  if (at !== null && Number.isNaN(at.getTime())) throw malformedAnswer(at).refusal
  return at?.toISOString() ?? null
}

function nullable(amount: bigint | null, decimals: number): ExactNumber | null {
  return amount === null ? null : amountNumber(amount, decimals)
}

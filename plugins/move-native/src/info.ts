import { type Info, malformedAnswer, orLastGood, SettingsError } from '@svc/contract'
import type { SystemState, ValidatorState } from '@svc/kit-move'
import { validatorOf } from './chain/obstacle.ts'
import { readSeries } from './chain/rates.ts'
import { type StakingContext, withNode } from './network.ts'
import { yieldOf } from './yield.ts'

/** Least of a stake, in MIST, as the chain has it. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-framework/packages/sui-system/sources/validator_set.move (read 2026-11-21) */
const MIN_STAKE = 1_000_000_000n
/** Rates that the annual rates are taken of: 30 growths need 31, and what one request carries leaves room for epochs that do not count. */
const RATES = 50

/** Reads the terms of staking with the operator's validator. @throws 502, 503, 504 */
export async function info(ctx: StakingContext): Promise<Info> {
  const state = await ctx.client.exchange(({ systemState }) => systemState())
  const validator = validatorOf(state, ctx.network.validator)
  if (!validator)
    ctx.log.error(
      { network: ctx.network.chainId, validator: ctx.network.validator },
      "staking-info: the operator's validator is not in the active set of the chain",
    )
  return { ...termsOf(state), ...(validator ? await ratesOf(ctx, state, validator) : UNRATED) }
}

/** Checks on the chain that the validator of the settings is active. @throws a sentence when the operator's validator is not in the active set */
export async function inspect(ctx: StakingContext): Promise<void> {
  const state = await ctx.client.exchange(({ systemState }) => systemState())
  if (validatorOf(state, ctx.network.validator)) return
  throw new SettingsError(
    `validator ${ctx.network.validator} is not in the active set of ${state.validators.length} in epoch ${state.epoch}; stakes with it would be refused.`,
  )
}

/** Returns the terms that the chain gives anybody. */
function termsOf({ epochDurationMs }: SystemState): Omit<Info, keyof Rates> {
  return {
    activationMinutes: Math.ceil(Number(epochDurationMs) / 60_000),
    deactivationMinutes: 0,
    withdrawalMinutes: 0,
    withdrawalFeePercent: 0,
    maxSlashingPercent: 0,
    minStake: MIN_STAKE,
    maxStake: null,
    users: null,
  }
}

/** Rates that follow from the operator's validator. */
type Rates = Pick<Info, 'rewardFeePercent' | 'aprPercent' | 'apyPercent' | 'tvl'>

/** Rates of a validator that takes no part. */
const UNRATED: Rates = { rewardFeePercent: null, aprPercent: null, apyPercent: null, tvl: null }

async function ratesOf(ctx: StakingContext, state: SystemState, { commissionBps, pool }: ValidatorState): Promise<Rates> {
  const range = { first: state.stakeSubsidyStartEpoch, most: RATES }
  const rates = await orLastGood(
    ctx,
    'the rates',
    withNode(ctx, async (reading) => {
      const series = await readSeries(reading, state.epoch, pool, range)
      // An entry that one node cannot read another one may.
      if (series === null) throw malformedAnswer()
      return series
    }),
  )
  const annual = rates && yieldOf(rates)
  return {
    rewardFeePercent: Number(commissionBps) / 100,
    aprPercent: annual && 100 * annual.apr,
    apyPercent: annual && 100 * annual.apy,
    tvl: pool.suiBalance,
  }
}

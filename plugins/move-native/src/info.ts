import type { Info } from '@svc/contract'
import type { SystemState, ValidatorState } from '@svc/kit-move'
import type { StakingContext } from './network.ts'
import { readSeries } from './rates.ts'
import { yieldOf } from './yield.ts'

/** Least of a stake, in MIST, as the chain has it. @see https://github.com/MystenLabs/sui/blob/main/crates/sui-framework/packages/sui-system/sources/validator_set.move (read 2026-11-21) */
export const MIN_STAKE = 1_000_000_000n
/** Rates that the annual rates are taken of: 30 growths need 31, and what one request carries leaves room for epochs that do not count. */
const RATES = 50

/** Terms of staking with the operator's validator. @throws 502, 503, 504 */
export async function info(ctx: StakingContext): Promise<Info> {
  const state = await ctx.client.systemState()
  const validator = operatorOf(ctx, state)
  if (!validator)
    ctx.log.error(
      { network: ctx.network.chainId, validator: ctx.network.validator },
      "staking-info: the operator's validator is not in the active set of the chain",
    )
  return { ...termsOf(state), ...(validator ? await ratesOf(ctx, state, validator) : UNRATED) }
}

/** The operator's validator; undefined when it is not in the active set. */
export function operatorOf({ network }: StakingContext, { validators }: SystemState): ValidatorState | undefined {
  return validators.find(({ address }) => address === network.validator)
}

/** What the chain gives anybody. */
function termsOf({ epochDurationMs }: SystemState): Info {
  return {
    activationMinutes: Math.ceil(Number(epochDurationMs) / 60_000),
    deactivationMinutes: 0,
    withdrawalMinutes: 0,
    withdrawalFeePercent: 0,
    maxSlashingPercent: 0,
    minStake: MIN_STAKE,
    maxStake: null,
    users: null,
    tvlUsd: null,
  }
}

/** Of a validator that takes no part. */
const UNRATED: Info = { rewardFeePercent: null, aprPercent: null, apyPercent: null, tvl: null }

async function ratesOf(ctx: StakingContext, state: SystemState, { commissionBps, pool }: ValidatorState): Promise<Info> {
  const range = { first: state.stakeSubsidyStartEpoch, most: RATES }
  const rates = await orMissing(ctx, readSeries(ctx, state.epoch, pool, range))
  const annual = rates && yieldOf(rates)
  return {
    rewardFeePercent: Number(commissionBps) / 100,
    aprPercent: annual && 100 * annual.apr,
    apyPercent: annual && 100 * annual.apy,
    tvl: pool.suiBalance,
  }
}

/** A value whose source may fail: its last good one then stays. */
async function orMissing<T>(ctx: StakingContext, value: Promise<T | null>): Promise<T | undefined> {
  const found = await value.catch((error: unknown) => {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, 'staking-info: the rates could not be read; the last good values stay')
    return null
  })
  return found ?? undefined
}

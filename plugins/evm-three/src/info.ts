import { type Info, orLastGood, parseAmount, type Sampling, SettingsError, takeSample, unknownFormer, wholeMinutes } from '@svc/contract'
import { EPOCH_BLOCKS, earns, type Validator } from '@svc/kit-evm/monad'
import { countDelegators } from './chain/delegators.ts'
import { DUST, validators } from './chain/staking.ts'
import type { StakingContext } from './network.ts'
import { annualRate, annualYield, isPlausible, measuredRate, type Sample } from './yield.ts'

/** Shortest time over which the accumulator's growth says more than the formula does, in seconds: a day. */
const MEASURE_SECONDS = 86_400
/** A sample each half hour at most, each for two days. */
const SAMPLING: Sampling<Sample> = {
  key: 'samples',
  every: 1_700,
  keep: 2 * MEASURE_SECONDS,
  read: ({ seconds, accumulator }) => (typeof accumulator === 'bigint' ? { seconds: Number(seconds), accumulator } : null),
  precedes: (before, after) => isPlausible(before, after),
}

/** Reads the terms of delegating to the operator's validator, measured on the chain where possible. */
export async function info(ctx: StakingContext): Promise<Info> {
  const { network } = ctx
  const epochMinutes = (EPOCH_BLOCKS * network.block_seconds) / 60
  const delayed = await validators.isDelayed(ctx)
  const [validator, delegators] = await Promise.all([
    orLastGood(ctx, 'validator', readValidator(ctx, delayed)),
    orLastGood(ctx, 'delegators', countDelegators(ctx)),
  ])
  const rate = validator && (await orLastGood(ctx, 'annual rate', rateOf(ctx, validator, delayed)))
  return {
    activationMinutes: wholeMinutes(1.1 * epochMinutes),
    deactivationMinutes: wholeMinutes(2 * epochMinutes),
    withdrawalMinutes: 0,
    rewardFeePercent: validator && Number(validator.epochCommission) / 1e16,
    withdrawalFeePercent: 0,
    aprPercent: rate,
    apyPercent: rate === undefined ? undefined : annualYield(rate, epochMinutes),
    maxSlashingPercent: 0,
    minStake: DUST,
    maxStake: null,
    users: delegators?.users,
    tvl: validator?.stake,
    unfinished: delegators?.unfinished ?? false,
  }
}

/** Checks on the chain that the validator of the settings is registered. @throws a sentence when the operator's validator is not registered */
export async function inspect(ctx: StakingContext): Promise<void> {
  const validator = await readValidator(ctx, false)
  if (!validator.exists) throw new SettingsError(`validator_id ${ctx.network.validator_id} is not a registered validator of this chain.`)
}

/** Lists the former validators that are not registered, one sentence each. @throws 502, 503, 504 */
export async function inspectFormer(ctx: StakingContext): Promise<readonly string[]> {
  const { former_validators: former } = ctx.network
  const records = await validators.read(ctx, former, false)
  return former.flatMap((id, index) => (records[index]?.exists ? [] : [unknownFormer(id, 'validator')]))
}

/** 0 where stake earns nothing; measured over a day or more of samples, which replicas share, else by the formula over the active set. */
async function rateOf(ctx: StakingContext, own: Validator, delayed: boolean): Promise<number> {
  if (!earns(own)) return 0
  const { network, store } = ctx
  const latest: Sample = { seconds: ctx.now().getTime() / 1000, accumulator: own.accumulator }
  const [first] = await takeSample(store, latest, SAMPLING)
  if (first && latest.seconds - first.seconds >= MEASURE_SECONDS) return measuredRate(first, latest)
  return annualRate({
    rewardPerBlock: parseAmount(network.reward_per_block, 18, 'reward_per_block'),
    blockSeconds: network.block_seconds,
    commission: own.epochCommission,
    totalStake: await validators.activeStake(ctx, delayed),
  })
}

/** The operator's validator. @param delayed as it is in the last part of an epoch */
async function readValidator(ctx: StakingContext, delayed: boolean): Promise<Validator> {
  const { validator_id } = ctx.network
  const [validator] = await validators.read(ctx, [validator_id], delayed)
  if (validator === undefined) throw new RangeError(`validator ${validator_id} was asked for and is not among the answers`)
  return validator
}

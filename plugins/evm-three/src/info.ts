import { type Info, parseAmount, SettingsError } from '@svc/contract'
import type { StakingContext } from './network.ts'
import { answered, ask, askAll, DUST, type Question, question } from './staking.ts'
import { annualRate, annualYield, measuredRate, type Sample } from './yield.ts'

/** Blocks of an epoch. @see https://docs.monad.xyz/developer-essentials/staking (read 2026-11-21) */
const EPOCH_BLOCKS = 50_000
/** Validators asked in one call: 70 × 97,200 gas stays under the 8.1 million that Monad's nodes run at once. */
const VALIDATORS_PER_CALL = 70
/** Pages of 50 delegators that one refresh follows; a validator with more has `users` null rather than a wrong count. */
const DELEGATOR_PAGES = 40
/** Shortest time over which the accumulator's growth says more than the formula does, in seconds: a day. */
const MEASURE_SECONDS = 86_400
const ZERO_ADDRESS = '0x0000000000000000000000000000000000000000'

interface Validator {
  readonly exists: boolean
  /** In wei, by execution's view. */
  readonly stake: bigint
  readonly accumulator: bigint
  /** What counts in this epoch: stake in wei, and commission in parts of 1e18. */
  readonly epochStake: bigint
  readonly epochCommission: bigint
}

/** Terms of delegating to the operator's validator, measured on the chain where they can be. */
export async function info(ctx: StakingContext): Promise<Info> {
  const { network } = ctx
  const epochMinutes = (EPOCH_BLOCKS * network.block_seconds) / 60
  const delayed = await inDelayPeriod(ctx)
  const [validator, users] = await Promise.all([
    orMissing(ctx, 'validator', readValidator(ctx, network.validator_id, delayed)),
    orMissing(ctx, 'delegators', countDelegators(ctx)),
  ])
  const rate = validator && (await orMissing(ctx, 'annual rate', rateOf(ctx, validator, delayed)))
  return {
    activationMinutes: Math.ceil(roundOff(1.1 * epochMinutes)),
    deactivationMinutes: Math.ceil(roundOff(2 * epochMinutes)),
    withdrawalMinutes: 0,
    rewardFeePercent: validator && Number(validator.epochCommission) / 1e16,
    withdrawalFeePercent: 0,
    aprPercent: rate,
    apyPercent: rate === undefined ? undefined : annualYield(rate, epochMinutes),
    maxSlashingPercent: 0,
    minStake: DUST,
    maxStake: null,
    users,
    tvlUsd: null,
    tvl: validator?.stake,
  }
}

/** @throws a sentence when the operator's validator is not registered */
export async function inspect(ctx: StakingContext): Promise<void> {
  const validator = await readValidator(ctx, ctx.network.validator_id, false)
  if (!validator.exists) throw new SettingsError(`validator_id ${ctx.network.validator_id} is not a registered validator of this chain.`)
}

async function inDelayPeriod(ctx: StakingContext): Promise<boolean> {
  const [delayed] = await askAll(ctx, [question('getEpoch', [], (it) => it.inEpochDelayPeriod as boolean)])
  return delayed
}

function askValidator(id: number | bigint, delayed: boolean): Question<Validator> {
  return question('getValidator', [id], (it) => {
    const epochStake: bigint = delayed ? it.snapshotStake : it.consensusStake
    const inSet = epochStake > 0n
    return {
      exists: it.authAddress !== ZERO_ADDRESS,
      stake: it.stake,
      accumulator: it.accRewardPerToken,
      epochStake,
      epochCommission: inSet ? (delayed ? it.snapshotCommission : it.consensusCommission) : it.commission,
    }
  })
}

async function readValidator(ctx: StakingContext, id: number, delayed: boolean): Promise<Validator> {
  const [validator] = await askAll(ctx, [askValidator(id, delayed)])
  return validator
}

/** Measured over a day or more of this process's samples, else by the formula over the active set. */
async function rateOf(ctx: StakingContext, own: Validator, delayed: boolean): Promise<number> {
  const { network, memo } = ctx
  const sample: Sample = { seconds: ctx.now().getTime() / 1000, accumulator: own.accumulator }
  const samples = [...((memo.get('samples') as Sample[] | undefined) ?? []), sample].filter(
    (each) => sample.seconds - each.seconds <= 2 * MEASURE_SECONDS,
  )
  memo.set('samples', samples)
  if (sample.seconds - samples[0]!.seconds >= MEASURE_SECONDS) return measuredRate(samples[0]!, sample)
  if (own.epochStake === 0n) return 0
  return annualRate({
    rewardPerBlock: parseAmount(network.reward_per_block, 18, 'reward_per_block'),
    blockSeconds: network.block_seconds,
    commission: own.epochCommission,
    totalStake: await activeStake(ctx, delayed),
  })
}

/** Wei that count in this epoch, summed over the active set. */
async function activeStake(ctx: StakingContext, delayed: boolean): Promise<bigint> {
  const method = delayed ? 'getSnapshotValidatorSet' : 'getConsensusValidatorSet'
  const ids: bigint[] = []
  for (let done = false, next = 0n; !done; ) {
    const [page] = await askAll(ctx, [
      question(method, [next], (it) => ({ done: it.isDone as boolean, next: it.nextIndex as bigint, ids: [...it.valIds] as bigint[] })),
    ])
    ids.push(...page.ids)
    done = page.done || page.ids.length === 0
    next = page.next
  }
  const chunks = Array.from({ length: Math.ceil(ids.length / VALIDATORS_PER_CALL) }, (_, index) =>
    ids.slice(index * VALIDATORS_PER_CALL, (index + 1) * VALIDATORS_PER_CALL),
  )
  const validators = await Promise.all(
    chunks.map((chunk) =>
      ask(
        ctx,
        chunk.map((id) => askValidator(id, delayed)),
      ),
    ),
  )
  return validators.flat().reduce((total, each) => total + answered(each).epochStake, 0n)
}

/** Addresses with a record at the operator's validator; null beyond what one refresh follows. */
async function countDelegators(ctx: StakingContext): Promise<number | null> {
  let start = ZERO_ADDRESS
  let count = 0
  for (let pages = 0; pages < DELEGATOR_PAGES; pages++) {
    const page = question('getDelegators', [ctx.network.validator_id, start], (it) => ({
      done: it.isDone as boolean,
      next: it.nextDelegator as string,
      count: it.delegators.length as number,
    }))
    const [answer] = await askAll(ctx, [page])
    count += answer.count
    if (answer.done || answer.count === 0) return count
    start = answer.next
  }
  return null
}

/** A value whose source may fail: its last good one then stays. */
async function orMissing<T>(ctx: StakingContext, what: string, value: Promise<T>): Promise<T | undefined> {
  try {
    return await value
  } catch (error) {
    ctx.log.warn({ err: error, network: ctx.network.chainId }, `staking-info: ${what} could not be read; its last good value stays`)
    return undefined
  }
}

/** Takes the dust of binary fractions off minutes before they are rounded up: 1.1 × 250 is 275, not 275.00000000000006. */
function roundOff(minutes: number): number {
  return Math.round(minutes * 1e6) / 1e6
}

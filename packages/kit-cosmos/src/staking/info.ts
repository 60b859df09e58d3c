import { type Info, SettingsError } from '@svc/contract'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import { QueryAnnualProvisionsResponse } from 'cosmjs-types/cosmos/mint/v1beta1/query'
import { answer, answerOrNone, integer, present } from '../answer.ts'
import type { CosmosChain } from '../chain.ts'
import type { StakingContext } from './network.ts'
import { annualRatePercent, annualYieldPercent, percent, rewardFeePercent } from './rates.ts'
import { readStakingParams, readValidator } from './reads.ts'

/** Terms of delegating to the operator's validator, by the chain's own parameters. Asked in one request. */
export async function stakingInfo(ctx: StakingContext, { provisions: path }: CosmosChain): Promise<Info> {
  const { staking, distribution, slashing, queries } = ctx.client
  const [params, pool, validator, users, slashFraction, communityTax, provisions] = await Promise.all([
    orMissing(ctx, 'staking parameters', readStakingParams(ctx)),
    orMissing(
      ctx,
      'pool',
      answer(staking.Pool({})).then(({ pool }) => integer(present(pool).bondedTokens)),
    ),
    orMissing(ctx, 'validator', readValidator(ctx)),
    orMissing(ctx, 'delegators', countDelegators(ctx)),
    orMissing(
      ctx,
      'slashing parameters',
      answer(slashing.Params({})).then(({ params }) => decimal(params.slashFractionDoubleSign)),
    ),
    orMissing(
      ctx,
      'distribution parameters',
      answer(distribution.Params({})).then(({ params }) => integer(params.communityTax)),
    ),
    orMissing(
      ctx,
      'annual provisions',
      answer(
        queries
          .queryAbci(path, new Uint8Array())
          .then(({ value }) => decimal(QueryAnnualProvisionsResponse.decode(value).annualProvisions)),
      ),
    ),
  ])
  const apr =
    validator && communityTax !== undefined && provisions !== undefined && pool !== undefined
      ? // A validator outside of the active set earns nothing.
        validator.bonded && !validator.jailed
        ? annualRatePercent({ provisions, bonded: pool, communityTax, commission: validator.commission })
        : 0
      : undefined
  return {
    activationMinutes: 0,
    deactivationMinutes: params && Math.ceil(Number(params.unbondingTime.seconds) / 60),
    withdrawalMinutes: 0,
    rewardFeePercent:
      validator && communityTax !== undefined ? rewardFeePercent({ communityTax, commission: validator.commission }) : undefined,
    withdrawalFeePercent: 0,
    aprPercent: apr,
    apyPercent: apr === undefined ? undefined : annualYieldPercent(apr),
    maxSlashingPercent: slashFraction === undefined ? undefined : percent(slashFraction),
    minStake: 1n,
    maxStake: null,
    users,
    tvlUsd: null,
    tvl: validator?.tokens,
  }
}

/** @throws a sentence when the operator's validator does not exist, or the chain stakes another token than this plugin knows */
export async function inspectStaking(ctx: StakingContext, { denom }: CosmosChain): Promise<void> {
  const { validator: validatorAddr, chainId } = ctx.network
  const [found, params] = await Promise.all([answerOrNone(ctx.client.staking.Validator({ validatorAddr })), readStakingParams(ctx)])
  if (params.bondDenom !== denom)
    throw new SettingsError(`${chainId} stakes ${params.bondDenom}, this plugin ${denom}: it is another chain.`)
  if (found === undefined) throw new SettingsError(`validator ${validatorAddr} is not a validator of ${chainId}.`)
}

/** Addresses that delegate to the operator's validator: the chain counts, and one of them is transferred. */
async function countDelegators({ client, network }: StakingContext): Promise<number> {
  const pagination = PageRequest.fromPartial({ limit: 1n, countTotal: true })
  const found = await answer(client.staking.ValidatorDelegations({ validatorAddr: network.validator, pagination }))
  return Number(present(found.pagination).total)
}

/** Fixed-point numbers that the chain keeps as bytes hold their digits in ASCII. @returns times `DEC_SCALE` */
function decimal(bytes: Uint8Array): bigint {
  return integer(Buffer.from(bytes).toString('latin1'))
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

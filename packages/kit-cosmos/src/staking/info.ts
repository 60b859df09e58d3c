import { type Info, orLastGood, SettingsError } from '@svc/contract'
import { QueryParamsResponse as QueryDistributionParamsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QueryAnnualProvisionsResponse } from 'cosmjs-types/cosmos/mint/v1beta1/query'
import { QueryParamsResponse as QuerySlashingParamsResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { QueryPoolResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { integer, present, share } from '../answer.ts'
import type { CosmosChain } from '../chain.ts'
import { earns, findValidator, readStakingParams, readValidator } from './chain.ts'
import { countDelegators } from './delegators.ts'
import type { StakingContext } from './network.ts'
import { annualRatePercent, annualYieldPercent, percent, rewardFeePercent } from './rates.ts'

/** Terms of delegating to the operator's validator, by the chain's own parameters. Asked in one request. */
export async function stakingInfo(ctx: StakingContext, { provisions: path }: CosmosChain): Promise<Info> {
  const ask = <T>(path: string, read: (answer: Uint8Array) => T) => ctx.client.query({ path, request: new Uint8Array(), read })
  const [params, pool, validator, delegators, slashFraction, communityTax, provisions] = await Promise.all([
    orLastGood(ctx, 'staking parameters', readStakingParams(ctx)),
    orLastGood(
      ctx,
      'pool',
      ask('/cosmos.staking.v1beta1.Query/Pool', (answer) => integer(present(QueryPoolResponse.decode(answer).pool).bondedTokens)),
    ),
    orLastGood(ctx, 'validator', readValidator(ctx)),
    orLastGood(ctx, 'delegators', countDelegators(ctx)),
    orLastGood(
      ctx,
      'slashing parameters',
      ask('/cosmos.slashing.v1beta1.Query/Params', (answer) =>
        share(ascii(QuerySlashingParamsResponse.decode(answer).params.slashFractionDoubleSign)),
      ),
    ),
    orLastGood(
      ctx,
      'distribution parameters',
      ask('/cosmos.distribution.v1beta1.Query/Params', (answer) =>
        share(QueryDistributionParamsResponse.decode(answer).params.communityTax),
      ),
    ),
    orLastGood(
      ctx,
      'annual provisions',
      ask(path, (answer) => integer(ascii(QueryAnnualProvisionsResponse.decode(answer).annualProvisions))),
    ),
  ])
  const apr =
    validator && communityTax !== undefined && provisions !== undefined && pool !== undefined
      ? earns(validator)
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
    users: delegators?.users,
    tvl: validator?.tokens,
    unfinished: delegators?.unfinished ?? false,
  }
}

/** @throws a sentence when the operator's validator does not exist, or the chain stakes another token than this plugin knows */
export async function inspectStaking(ctx: StakingContext, { denom }: CosmosChain): Promise<void> {
  const { validator, chainId } = ctx.network
  const [found, params] = await Promise.all([findValidator(ctx, () => null), readStakingParams(ctx)])
  if (params.bondDenom !== denom)
    throw new SettingsError(`${chainId} stakes ${params.bondDenom}, this plugin ${denom}: it is another chain.`)
  if (found === null) throw new SettingsError(`validator ${validator} is not a validator of ${chainId}.`)
}

/** Fixed-point numbers that the chain keeps as bytes hold their digits in ASCII. */
function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

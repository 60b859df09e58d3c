import { type Info, orLastGood, requireSent } from '@svc/contract'
import { QueryParamsResponse as QueryDistributionParamsResponse } from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import { QueryParamsResponse as QuerySlashingParamsResponse } from 'cosmjs-types/cosmos/slashing/v1beta1/query'
import { QueryPoolResponse } from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { integer, share } from '../answer.ts'
import type { CosmosChain, Issuance } from '../chain.ts'
import { earns, readStakingParams, readValidator, type Validator } from './chain.ts'
import { countDelegators } from './delegators.ts'
import { readIssuance, type YearlyIssuance } from './issuance.ts'
import type { StakingContext } from './network.ts'
import { annualRatePercent, annualYieldPercent, percent, rewardFeePercent } from './rates.ts'

/** Reads the terms of delegating to the operator's validator, by the chain's own parameters, in one request. */
export async function stakingInfo(ctx: StakingContext, { issuance }: CosmosChain): Promise<Info> {
  const ask = <T>(path: string, read: (answer: Uint8Array) => T) => ctx.client.query({ path, request: new Uint8Array(), read })
  const [params, pool, validator, delegators, slashFraction, communityTax, issued] = await Promise.all([
    orLastGood(ctx, 'staking parameters', readStakingParams(ctx, { afresh: true })),
    orLastGood(
      ctx,
      'pool',
      ask('/cosmos.staking.v1beta1.Query/Pool', (answer) => integer(requireSent(QueryPoolResponse.decode(answer).pool).bondedTokens)),
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
    orLastGood(ctx, 'issuance', readIssuance(ctx, issuance)),
  ])
  const apr =
    validator && communityTax !== undefined && issued !== undefined && pool !== undefined
      ? earns(validator)
        ? annualRatePercent(issued, { bonded: pool, communityTax, commission: validator.commission })
        : 0
      : undefined
  if (apr === undefined && issued && pool !== undefined && validator && communityTax !== undefined)
    ctx.log.warn(
      { issued: text(issued), bonded: String(pool) },
      'the issuance is above 60 % of what is staked, which cannot be; the rate stays what it was',
    )
  return {
    activationMinutes: 0,
    deactivationMinutes: params && Math.ceil(Number(params.unbondingTime.seconds) / 60),
    withdrawalMinutes: 0,
    rewardFeePercent: validator && communityTax !== undefined ? rewardFeePercent(feesOf(issuance, communityTax, validator)) : undefined,
    withdrawalFeePercent: 0,
    aprPercent: apr,
    apyPercent: typeof apr === 'number' ? annualYieldPercent(apr) : apr,
    maxSlashingPercent: slashFraction === undefined ? undefined : percent(slashFraction),
    minStake: 1n,
    maxStake: null,
    users: delegators?.users,
    tvl: validator?.tokens,
    unfinished: delegators?.unfinished ?? false,
  }
}

/** The fees that lie between the rate of the chain and the delegator's: where the chain tells a rate itself, the community has had its part of it. */
function feesOf({ form }: Issuance, communityTax: bigint, { commission }: Validator) {
  return { communityTax: form === 'rate-of-bonded' ? 0n : communityTax, commission }
}

function text(issued: NonNullable<YearlyIssuance>): string {
  return 'rate' in issued ? `rate ${issued.rate}` : `amount ${issued.amount}`
}

/** Reads a fixed-point number that the chain keeps as bytes, which are its digits in ASCII. */
function ascii(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

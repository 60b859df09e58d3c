import { toUtf8 } from '@cosmjs/encoding'
import type { DecCoin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import {
  QueryCommunityPoolRequest,
  QueryCommunityPoolResponse,
  QueryDelegationRewardsRequest,
  QueryDelegationRewardsResponse,
  QueryDelegationTotalRewardsRequest,
  QueryDelegationTotalRewardsResponse,
  QueryDelegatorValidatorsRequest,
  QueryDelegatorValidatorsResponse,
  QueryDelegatorWithdrawAddressRequest,
  QueryDelegatorWithdrawAddressResponse,
  QueryParamsRequest,
  QueryParamsResponse,
  QueryValidatorCommissionRequest,
  QueryValidatorCommissionResponse,
  QueryValidatorOutstandingRewardsRequest,
  QueryValidatorOutstandingRewardsResponse,
  QueryValidatorSlashesRequest,
  QueryValidatorSlashesResponse,
} from 'cosmjs-types/cosmos/distribution/v1beta1/query'
import type { Context } from '../context.ts'
import { parseDec } from '../dec.ts'
import { type DecCoins, listed, NO_COINS, plus } from '../dec-coins.ts'
import { ChainError, distribution, staking } from '../errors.ts'
import { communityPool, pendingRewards } from '../modules/distribution.ts'
import { account, existingValidator } from './arguments.ts'
import { paginate } from './pagination.ts'
import { type QueryRoutes, query } from './router.ts'

const path = (name: string) => `/cosmos.distribution.v1beta1.Query/${name}`

/** Queries of rewards, commission and the community pool. */
export const distributionQueries: QueryRoutes = {
  [path('Params')]: query(QueryParamsRequest, QueryParamsResponse, (_, { genesis }) => ({
    params: {
      communityTax: String(parseDec(genesis.distribution.communityTax)),
      baseProposerReward: '0',
      bonusProposerReward: '0',
      withdrawAddrEnabled: true,
    },
  })),
  [path('DelegationRewards')]: query(
    QueryDelegationRewardsRequest,
    QueryDelegationRewardsResponse,
    ({ delegatorAddress, validatorAddress }, ctx) => {
      const { operator } = existingValidator(ctx, validatorAddress)
      const rewards = pendingRewards(ctx, account(ctx, delegatorAddress, 'delegator address'), operator)
      if (rewards === undefined)
        throw new ChainError(ctx.genesis.distribution.parksRewards ? distribution.noDelegation : staking.noDelegation)
      return { rewards: decCoins(rewards) }
    },
  ),
  [path('DelegationTotalRewards')]: query(
    QueryDelegationTotalRewardsRequest,
    QueryDelegationTotalRewardsResponse,
    ({ delegatorAddress }, ctx) => {
      const delegator = account(ctx, delegatorAddress, 'delegator address')
      const found = operatorsOf(ctx, delegator).map((operator) => ({
        operator,
        delegated: ctx.state.delegations.has(`${operator}/${delegator}`),
        rewards: pendingRewards(ctx, delegator, operator) ?? NO_COINS,
      }))
      // Parked rewards of a delegation that is gone are listed, and left out of the total.
      const total = found.reduce<DecCoins>((sum, { delegated, rewards }) => (delegated ? plus(sum, rewards) : sum), NO_COINS)
      return {
        rewards: found.map(({ operator, rewards }) => ({ validatorAddress: operator, reward: decCoins(rewards) })),
        total: decCoins(total),
      }
    },
  ),
  [path('DelegatorValidators')]: query(QueryDelegatorValidatorsRequest, QueryDelegatorValidatorsResponse, ({ delegatorAddress }, ctx) => {
    const delegator = account(ctx, delegatorAddress, 'delegator address')
    return { validators: operatorsOf(ctx, delegator).filter((operator) => ctx.state.delegations.has(`${operator}/${delegator}`)) }
  }),
  [path('DelegatorWithdrawAddress')]: query(
    QueryDelegatorWithdrawAddressRequest,
    QueryDelegatorWithdrawAddressResponse,
    ({ delegatorAddress }, ctx) => {
      const delegator = account(ctx, delegatorAddress, 'delegator address')
      return { withdrawAddress: ctx.state.withdrawTo.get(delegator) ?? delegator }
    },
  ),
  [path('ValidatorOutstandingRewards')]: query(
    QueryValidatorOutstandingRewardsRequest,
    QueryValidatorOutstandingRewardsResponse,
    ({ validatorAddress }, ctx) => {
      const { operator } = existingValidator(ctx, validatorAddress)
      return { rewards: { rewards: decCoins(ctx.state.rewards.existing(operator).outstanding) } }
    },
  ),
  [path('ValidatorCommission')]: query(QueryValidatorCommissionRequest, QueryValidatorCommissionResponse, ({ validatorAddress }, ctx) => {
    const { operator } = existingValidator(ctx, validatorAddress)
    return { commission: { commission: decCoins(ctx.state.rewards.existing(operator).commission) } }
  }),
  [path('ValidatorSlashes')]: query(QueryValidatorSlashesRequest, QueryValidatorSlashesResponse, (request, ctx) => {
    const events = ctx.state.slashes.get(existingValidator(ctx, request.validatorAddress).operator) ?? []
    const slashesInRange = events.filter(({ height }) => height >= request.startingHeight && height <= request.endingHeight)
    const slashes = slashesInRange.map(({ period, fraction }) => ({ validatorPeriod: period, fraction: String(fraction) }))
    const { items, pagination } = paginate(
      slashes.map((slash) => [toUtf8(String(slash.validatorPeriod).padStart(20, '0')), slash] as const),
      request.pagination,
    )
    return { slashes: items, pagination }
  }),
  [path('CommunityPool')]: query(QueryCommunityPoolRequest, QueryCommunityPoolResponse, (_, ctx) => ({
    pool: decCoins(communityPool(ctx.state)),
  })),
}

/** Every validator with which an address has a delegation or rewards that wait. */
function operatorsOf(ctx: Context, delegator: string): string[] {
  const keys = [...ctx.state.delegations.entries(), ...ctx.state.parked.entries()].map(([key]) => key)
  const end = `/${delegator}`
  const own = keys.filter((key) => key.endsWith(end)).map((key) => key.slice(0, -end.length))
  return [...new Set(own)].sort()
}

function decCoins(coins: DecCoins): DecCoin[] {
  return listed(coins).map(({ denom, amount }) => ({ denom, amount: String(amount) }))
}

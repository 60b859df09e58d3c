import { toUtf8 } from '@cosmjs/encoding'
import {
  QueryDelegationRequest,
  QueryDelegationResponse,
  QueryDelegatorDelegationsRequest,
  QueryDelegatorDelegationsResponse,
  QueryDelegatorUnbondingDelegationsRequest,
  QueryDelegatorUnbondingDelegationsResponse,
  QueryDelegatorValidatorRequest,
  QueryDelegatorValidatorsRequest,
  QueryParamsRequest,
  QueryParamsResponse,
  QueryPoolRequest,
  QueryPoolResponse,
  QueryRedelegationsRequest,
  QueryRedelegationsResponse,
  QueryUnbondingDelegationRequest,
  QueryUnbondingDelegationResponse,
  QueryValidatorDelegationsRequest,
  QueryValidatorDelegationsResponse,
  QueryValidatorRequest,
  QueryValidatorsRequest,
  QueryValidatorUnbondingDelegationsRequest,
  QueryValidatorUnbondingDelegationsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { BondStatus, bondStatusToJSON } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { bech32Bytes } from '../address.ts'
import type { Context } from '../context.ts'
import { parseDec } from '../dec.ts'
import { QueryError } from '../errors.ts'
import { moduleAddress } from '../modules/auth.ts'
import { balanceOf } from '../modules/bank.ts'
import { duration } from '../wire.ts'
import { account, existingValidator, operator } from './arguments.ts'
import { paginate } from './pagination.ts'
import { type QueryRoutes, query } from './router.ts'
import { validatorResponse, validatorsResponse, wireDelegation, wireRedelegation, wireUnbonding, wireValidator } from './staking-wire.ts'

const path = (name: string) => `/cosmos.staking.v1beta1.Query/${name}`

/** Queries of validators, delegations and exits. */
export const stakingQueries: QueryRoutes = {
  [path('Validator')]: query(QueryValidatorRequest, validatorResponse, ({ validatorAddr }, ctx) => ({
    validator: wireValidator(ctx, existingValidator(ctx, validatorAddr)),
  })),
  [path('Validators')]: query(QueryValidatorsRequest, validatorsResponse, ({ status, pagination: page }, ctx) => {
    if (status !== '' && !bondStatuses.includes(status)) throw new QueryError('InvalidArgument', `invalid validator status ${status}`)
    const matches = ctx.state.validators.entries().filter(([, validator]) => status === '' || bondStatusToJSON(validator.status) === status)
    const entries = matches.map(([address, validator]) => [bech32Bytes(address), validator] as const)
    const { items, pagination } = paginate(entries, page)
    return { validators: items.map((validator) => wireValidator(ctx, validator)), pagination }
  }),
  [path('ValidatorDelegations')]: query(
    QueryValidatorDelegationsRequest,
    QueryValidatorDelegationsResponse,
    ({ validatorAddr, pagination: page }, ctx) => {
      const entries = ctx.state.delegations.entries(`${operator(ctx, validatorAddr)}/`).map(([key]) => [delegatorBytes(key), key] as const)
      const { items, pagination } = paginate(entries, page)
      return { delegationResponses: items.map((key) => delegation(ctx, key)), pagination }
    },
  ),
  [path('ValidatorUnbondingDelegations')]: query(
    QueryValidatorUnbondingDelegationsRequest,
    QueryValidatorUnbondingDelegationsResponse,
    ({ validatorAddr, pagination: page }, ctx) => {
      const entries = ctx.state.unbondings.entries(`${operator(ctx, validatorAddr)}/`).map(([key]) => [delegatorBytes(key), key] as const)
      const { items, pagination } = paginate(entries, page)
      return { unbondingResponses: items.map((key) => unbonding(ctx, key)), pagination }
    },
  ),
  [path('Delegation')]: query(QueryDelegationRequest, QueryDelegationResponse, ({ delegatorAddr, validatorAddr }, ctx) => {
    const key = pair(ctx, delegatorAddr, validatorAddr)
    if (!ctx.state.delegations.has(key)) {
      throw new QueryError('NotFound', `delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`)
    }
    return { delegationResponse: delegation(ctx, key) }
  }),
  [path('UnbondingDelegation')]: query(
    QueryUnbondingDelegationRequest,
    QueryUnbondingDelegationResponse,
    ({ delegatorAddr, validatorAddr }, ctx) => {
      const key = pair(ctx, delegatorAddr, validatorAddr)
      if (!ctx.state.unbondings.has(key)) {
        throw new QueryError('NotFound', `unbonding delegation with delegator ${delegatorAddr} not found for validator ${validatorAddr}`)
      }
      return { unbond: unbonding(ctx, key) }
    },
  ),
  [path('DelegatorDelegations')]: query(
    QueryDelegatorDelegationsRequest,
    QueryDelegatorDelegationsResponse,
    ({ delegatorAddr, pagination: page }, ctx) => {
      const { items, pagination } = paginate(keysOf(ctx, 'delegations', delegatorAddr), page)
      return { delegationResponses: items.map((key) => delegation(ctx, key)), pagination }
    },
  ),
  [path('DelegatorUnbondingDelegations')]: query(
    QueryDelegatorUnbondingDelegationsRequest,
    QueryDelegatorUnbondingDelegationsResponse,
    ({ delegatorAddr, pagination: page }, ctx) => {
      const { items, pagination } = paginate(keysOf(ctx, 'unbondings', delegatorAddr), page)
      return { unbondingResponses: items.map((key) => unbonding(ctx, key)), pagination }
    },
  ),
  [path('DelegatorValidators')]: query(QueryDelegatorValidatorsRequest, validatorsResponse, ({ delegatorAddr, pagination: page }, ctx) => {
    const { items, pagination } = paginate(keysOf(ctx, 'delegations', delegatorAddr), page)
    return { validators: items.map((key) => wireValidator(ctx, ctx.state.validators.existing(operatorIn(key)))), pagination }
  }),
  [path('DelegatorValidator')]: query(QueryDelegatorValidatorRequest, validatorResponse, (request, ctx) => {
    const key = pair(ctx, request.delegatorAddr, request.validatorAddr)
    if (!ctx.state.delegations.has(key)) throw new QueryError('NotFound', 'no delegation for (address, validator) tuple')
    return { validator: wireValidator(ctx, existingValidator(ctx, request.validatorAddr)) }
  }),
  [path('Redelegations')]: query(QueryRedelegationsRequest, QueryRedelegationsResponse, (request, ctx) => {
    const { srcValidatorAddr: from, dstValidatorAddr: to } = request
    const entries = ctx.state.redelegations
      .entries(`${account(ctx, request.delegatorAddr, 'delegator address')}/`)
      .filter(([key]) => (from === '' || key.includes(`/${from}/`)) && (to === '' || key.endsWith(`/${to}`)))
      .map(([key, own]) => [toUtf8(key), wireRedelegation(ctx, key, own)] as const)
    if (entries.length === 0 && from !== '' && to !== '')
      throw new QueryError(
        'NotFound',
        `redelegation not found for delegator address ${request.delegatorAddr} from validator address ${from}`,
      )
    const { items, pagination } = paginate(entries, request.pagination)
    return QueryRedelegationsResponse.fromPartial({ redelegationResponses: items, pagination })
  }),
  [path('Pool')]: query(QueryPoolRequest, QueryPoolResponse, (_, ctx) => {
    const poolBalance = (name: 'bonded_tokens_pool' | 'not_bonded_tokens_pool') =>
      String(balanceOf(ctx.state, moduleAddress(ctx.genesis, name), ctx.genesis.denom))
    return { pool: { bondedTokens: poolBalance('bonded_tokens_pool'), notBondedTokens: poolBalance('not_bonded_tokens_pool') } }
  }),
  [path('Params')]: query(QueryParamsRequest, QueryParamsResponse, (_, { genesis }) => ({
    params: {
      unbondingTime: duration(genesis.staking.unbondingSeconds),
      maxValidators: genesis.staking.maxValidators,
      maxEntries: genesis.staking.maxEntries,
      historicalEntries: 10_000,
      bondDenom: genesis.denom,
      minCommissionRate: String(parseDec(genesis.staking.minCommission)),
    },
  })),
}

const bondStatuses = [BondStatus.BOND_STATUS_UNBONDED, BondStatus.BOND_STATUS_UNBONDING, BondStatus.BOND_STATUS_BONDED].map(
  bondStatusToJSON,
)

function pair(ctx: Context, delegator: string, validator: string): string {
  return `${operator(ctx, validator)}/${account(ctx, delegator, 'delegator address')}`
}

function keysOf(ctx: Context, table: 'delegations' | 'unbondings', delegator: string): (readonly [Uint8Array, string])[] {
  const end = `/${account(ctx, delegator, 'delegator address')}`
  const keys = ctx.state[table].entries().map(([key]) => key)
  return keys.filter((key) => key.endsWith(end)).map((key) => [bech32Bytes(operatorIn(key)), key] as const)
}

/** Bytes of the delegator in a key of `operator/delegator`. */
function delegatorBytes(key: string): Uint8Array {
  return bech32Bytes(key.split('/')[1] ?? '')
}

function operatorIn(key: string): string {
  const [operatorAddress = ''] = key.split('/')
  return operatorAddress
}

function delegation(ctx: Context, key: string) {
  const [operatorAddress = '', delegator = ''] = key.split('/')
  return wireDelegation(ctx, ctx.state.validators.existing(operatorAddress), delegator, ctx.state.delegations.existing(key))
}

function unbonding(ctx: Context, key: string) {
  const [operatorAddress = '', delegator = ''] = key.split('/')
  return wireUnbonding(operatorAddress, delegator, ctx.state.unbondings.existing(key))
}

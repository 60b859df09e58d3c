import { toUtf8 } from '@cosmjs/encoding'
import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
  QuerySpendableBalanceByDenomRequest,
  QuerySpendableBalanceByDenomResponse,
  QuerySpendableBalancesRequest,
  QuerySpendableBalancesResponse,
  QuerySupplyOfRequest,
  QuerySupplyOfResponse,
  QueryTotalSupplyRequest,
  QueryTotalSupplyResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import type { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import type { Context } from '../context.ts'
import { QueryError } from '../errors.ts'
import { balanceOf, spendableOf } from '../modules/bank.ts'
import { holder } from './arguments.ts'
import { paginate } from './pagination.ts'
import { type QueryRoutes, query } from './router.ts'

const path = (name: string) => `/cosmos.bank.v1beta1.Query/${name}`

/** Queries of balances and supply. */
export const bankQueries: QueryRoutes = {
  [path('Balance')]: query(QueryBalanceRequest, QueryBalanceResponse, ({ address, denom }, ctx) => ({
    balance: coin(named(denom), balanceOf(ctx.state, holder(ctx, address), denom)),
  })),
  [path('SpendableBalanceByDenom')]: query(
    QuerySpendableBalanceByDenomRequest,
    QuerySpendableBalanceByDenomResponse,
    ({ address, denom }, ctx) => ({ balance: coin(named(denom), spendableOf(ctx, holder(ctx, address), denom)) }),
  ),
  [path('AllBalances')]: query(QueryAllBalancesRequest, QueryAllBalancesResponse, ({ address, pagination: page }, ctx) => {
    const { items, pagination } = paginate(holdings(ctx, holder(ctx, address)), page)
    return { balances: items, pagination }
  }),
  [path('SpendableBalances')]: query(
    QuerySpendableBalancesRequest,
    QuerySpendableBalancesResponse,
    ({ address, pagination: page }, ctx) => {
      const { items, pagination } = paginate(holdings(ctx, holder(ctx, address)), page)
      return { balances: items.map(({ denom }) => coin(denom, spendableOf(ctx, address, denom))), pagination }
    },
  ),
  [path('TotalSupply')]: query(QueryTotalSupplyRequest, QueryTotalSupplyResponse, ({ pagination: page }, ctx) => {
    const entries = ctx.state.supply.entries().map(([denom, amount]) => [toUtf8(denom), coin(denom, amount)] as const)
    const { items, pagination } = paginate(entries, page)
    return { supply: items, pagination }
  }),
  [path('SupplyOf')]: query(QuerySupplyOfRequest, QuerySupplyOfResponse, ({ denom }, ctx) => ({
    amount: coin(named(denom), ctx.state.supply.get(denom) ?? 0n),
  })),
}

function holdings(ctx: Context, address: string): (readonly [Uint8Array, Coin])[] {
  return ctx.state.balances.entries(`${address}/`).map(([key, amount]) => {
    const denom = key.slice(address.length + 1)
    return [toUtf8(denom), coin(denom, amount)] as const
  })
}

function coin(denom: string, amount: bigint): Coin {
  return { denom, amount: String(amount) }
}

function named(denom: string): string {
  if (!/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/.test(denom)) throw new QueryError('InvalidArgument', `invalid denom: ${denom}`)
  return denom
}

import { QueryAllowancesByGranterRequest, QueryAllowancesByGranterResponse } from 'cosmjs-types/cosmos/feegrant/v1beta1/query'
import { bech32Bytes } from '../address.ts'
import { account } from './arguments.ts'
import { paginate } from './pagination.ts'
import { type QueryRoutes, query } from './router.ts'

/** Fees that accounts pay for others. The chain keeps them by grantee, and goes through all of them for one granter. */
export const feegrantQueries: QueryRoutes = {
  '/cosmos.feegrant.v1beta1.Query/AllowancesByGranter': query(
    QueryAllowancesByGranterRequest,
    QueryAllowancesByGranterResponse,
    ({ granter, pagination: page }, ctx) => {
      const end = `/${account(ctx, granter)}`
      const entries = ctx.state.allowances
        .entries()
        .filter(([key]) => key.endsWith(end))
        .map(([key, allowance]) => {
          const grantee = key.slice(0, -end.length)
          return [bech32Bytes(grantee), { granter, grantee, allowance }] as const
        })
      const { items, pagination } = paginate(entries, page)
      return { allowances: items, pagination }
    },
  ),
}

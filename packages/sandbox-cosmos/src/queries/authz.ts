import { QueryGranterGrantsRequest, QueryGranterGrantsResponse } from 'cosmjs-types/cosmos/authz/v1beta1/query'
import { account } from './arguments.ts'
import { type QueryRoutes, query } from './router.ts'

/** What accounts have allowed others: nothing, since the messages by which they would are none of this chain's. */
export const authzQueries: QueryRoutes = {
  '/cosmos.authz.v1beta1.Query/GranterGrants': query(QueryGranterGrantsRequest, QueryGranterGrantsResponse, ({ granter }, ctx) => {
    account(ctx, granter)
    return { grants: [], pagination: { nextKey: new Uint8Array(), total: 0n } }
  }),
}

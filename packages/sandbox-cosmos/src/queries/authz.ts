import { toUtf8 } from '@cosmjs/encoding'
import { QueryGranterGrantsRequest, QueryGranterGrantsResponse } from 'cosmjs-types/cosmos/authz/v1beta1/query'
import { bech32Bytes } from '../address.ts'
import { timestamp } from '../wire.ts'
import { account } from './arguments.ts'
import { paginate } from './pagination.ts'
import { type QueryRoutes, query } from './router.ts'

/** Queries of authorisations that accounts have granted: those of one granter in the order of grantees and types, as the chain keeps them. */
export const authzQueries: QueryRoutes = {
  '/cosmos.authz.v1beta1.Query/GranterGrants': query(
    QueryGranterGrantsRequest,
    QueryGranterGrantsResponse,
    ({ granter, pagination: page }, ctx) => {
      const entries = ctx.state.grants.entries(`${account(ctx, granter)}/`).map(([key, { typeUrl, value, expiration }]) => {
        const [, grantee = '', ...type] = key.split('/')
        const grant = {
          granter,
          grantee,
          authorization: { typeUrl, value },
          ...(expiration === null ? {} : { expiration: timestamp(expiration) }),
        }
        return [Buffer.concat([bech32Bytes(grantee), toUtf8(type.join('/'))]), grant] as const
      })
      const { items, pagination } = paginate(entries, page)
      return { grants: items, pagination }
    },
  ),
}

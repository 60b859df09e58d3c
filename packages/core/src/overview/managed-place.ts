import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { shortName } from '../base/short-name.ts'
import { oneAccount } from '../http/account-scope.ts'
import { headerOf, principalOf } from '../http/request.ts'
import type { Networks } from '../life/networks.ts'
import type { Accounts } from '../plugins/accounts.ts'

/** Dependencies of routes on which a management token changes what its account has on a network. */
export interface ManagedRoutes {
  readonly accounts: Pick<Accounts, 'network' | 'allows' | 'has' | 'ids'>
  readonly networks: Pick<Networks, 'of'>
  /** npm names. */
  readonly plugins: readonly string[]
}

/** Request with a token that names a protocol, and with an operator's an account. */
type ManagedRequest = FastifyRequest<{ Params: { protocol: string }; Querystring: { account?: string } }>

/** Schema of the header that names a network. */
export const networkHeader = Type.Object({
  'x-network': Type.Optional(
    Type.String({
      description: "Network: a chain_id of the protocol's /networks, or the same chain by CAIP-2. Default: the account's default network.",
    }),
  ),
})

/** Makes the function that tells the account and the network that a request is about. It throws 400 `ACCOUNT_REQUIRED`, `UNKNOWN_ACCOUNT`, `NETWORK_NOT_ENABLED`; 404. */
export function placesOf({ accounts, plugins }: ManagedRoutes) {
  return (request: ManagedRequest) => {
    const account = oneAccount(request, accounts, request.query.account)
    const plugin = plugins.find((name) => shortName(name) === request.params.protocol && accounts.allows(account, name))
    if (plugin === undefined) throw request.server.unknownPath(request)
    return { account, network: accounts.network(account, plugin, headerOf(request, 'x-network')) }
  }
}

/** Makes the hook that refuses, as other routes do, a network that there is not before the body is looked at. What else is wrong is left to the handler. */
export function networkRefusal({ accounts, plugins }: ManagedRoutes) {
  return async (request: FastifyRequest) => {
    const { kind, account } = principalOf(request)
    const { protocol } = request.params as { readonly protocol?: string }
    const plugin = plugins.find((name) => shortName(name) === protocol)
    if (kind !== 'operator' && plugin !== undefined && accounts.allows(account, plugin))
      accounts.network(account, plugin, headerOf(request, 'x-network'))
  }
}

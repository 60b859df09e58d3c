import { type ProtocolPlugin, protocol } from '@svc/contract'
import { validatorSchema } from '../address.ts'
import { cosmos } from '../kit.ts'
import { stakingActions } from './actions.ts'
import { stakingBalance } from './balance.ts'
import { inspectStaking, stakingInfo } from './info.ts'
import type { Hub } from './network.ts'

/**
 * The plugin of a chain of the family with native delegation: x/staking and x/distribution, one validator. A chain is data:
 *
 * ```ts
 * export default hubProtocol({ name: '@svc/plugin-hub-one', prefix: '/hub-one/native', summary: '…', maxFee: '0.1', chain })
 * ```
 */
export function hubProtocol({ chain, ...hub }: Hub): ProtocolPlugin {
  const definers = protocol(cosmos(chain), { validator: validatorSchema(chain.prefix) })
  return definers.definePlugin({
    ...hub,
    actions: stakingActions(chain, definers),
    balance: (ctx, address) => stakingBalance(ctx, chain.denom, address),
    info: (ctx) => stakingInfo(ctx, chain),
    inspect: (ctx) => inspectStaking(ctx, chain),
  })
}

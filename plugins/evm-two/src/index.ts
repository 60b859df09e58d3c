import { claimRewards, compoundRewards, delegate, undelegate, withdraw } from './actions.ts'
import { balance } from './balance.ts'
import { info, inspect } from './info.ts'
import { definePlugin } from './network.ts'

/** Native delegation on Pharos: one record per address with the operator's pool, and an exit of everything through a withdraw window. */
export default definePlugin({
  name: '@svc/plugin-evm-two',
  prefix: '/evm-two/native',
  summary: 'Native delegation on an EVM-type chain, with one record per address and a withdraw window.',
  maxFee: '0.1',
  actions: { delegate, undelegate, withdraw, 'claim-rewards': claimRewards, 'compound-rewards': compoundRewards },
  balance,
  info,
  inspect,
})

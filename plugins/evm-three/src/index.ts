import { claimRewards, compound, delegate, undelegate, withdraw } from './actions.ts'
import { balance } from './balance.ts'
import { info, inspect } from './info.ts'
import { definePlugin } from './network.ts'
import { routes } from './routes.ts'

/** Native staking on Monad: delegation to one validator, exits through numbered withdrawal slots. */
export default definePlugin({
  name: '@svc/plugin-evm-three',
  prefix: '/evm-three/native',
  summary: 'Native delegation on an EVM-type chain, with numbered withdrawal slots.',
  maxFee: '1',
  actions: { delegate, undelegate, withdraw, 'claim-rewards': claimRewards, compound },
  balance,
  info,
  inspect,
  routes,
})

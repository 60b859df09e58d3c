import { delegate, undelegate, withdraw } from './actions.ts'
import { balance } from './balance.ts'
import { info } from './info.ts'
import { inspect } from './inspect.ts'
import { definePlugin } from './network.ts'
import { routes } from './routes.ts'

/** Liquid staking on Monad: Magma's pool and its token gMON, with redemptions through one request per owner. */
export default definePlugin({
  name: '@svc/plugin-evm-three-liquid',
  prefix: '/evm-three/liquid-a',
  summary: 'Liquid staking on the evm-three chain: a pool token whose price grows.',
  maxFee: '5',
  actions: { delegate, undelegate, withdraw },
  balance,
  info,
  inspect,
  routes,
})

import { savings } from '@example/intent-savings'
import { close, deposit, withdraw } from './actions.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { condition } from './condition.ts'
import { info, inspect } from './info.ts'
import { definePlugin } from './network.ts'
import { routes } from './routes.ts'

/** A savings vault: deposits earn interest and are paid out at once. */
export default definePlugin({
  name: '@example/plugin-savings',
  prefix: '/evm-example/savings',
  summary: 'A savings vault on an EVM chain; deposits earn interest by the day.',
  maxFee: '0.1',
  symbol: 'ETH',
  intent: savings,
  codes: errorCodes,
  actions: { deposit, withdraw, close },
  balance,
  info,
  condition,
  inspect,
  routes,
})

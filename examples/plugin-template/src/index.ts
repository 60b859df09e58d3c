import { savings } from '@example/intent-savings'
import { bookLogs } from '@svc/kit-evm'
import { close, deposit, withdraw } from './actions.ts'
import { balance } from './balance.ts'
import { book } from './book.ts'
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
  book,
  requirements: [bookLogs(({ vault }) => vault)],
})

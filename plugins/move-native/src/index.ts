import { stake, unstake } from './actions.ts'
import { balance } from './balance.ts'
import { info } from './info.ts'
import { inspect } from './inspect.ts'
import { definePlugin } from './network.ts'

/** Native staking on Sui: positions are objects, fungible or not, that are withdrawn in one transaction. */
export default definePlugin({
  name: '@svc/plugin-move-native',
  prefix: '/move-one/native',
  summary: 'Object-based native staking on the move chain.',
  maxFee: '0.5',
  actions: { stake, unstake },
  balance,
  info,
  inspect,
})

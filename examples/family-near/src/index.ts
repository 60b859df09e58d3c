import { nearPool } from '@example/intent-near-pool'
import { stake, unstake, unstakeAll, withdraw } from './actions.ts'
import { balance, due } from './balance.ts'
import { errorCodes } from './codes.ts'
import { condition } from './condition.ts'
import { info, inspect } from './info.ts'
import { moved } from './moved.ts'
import { definePlugin } from './network.ts'

/** Staking with one pool of NEAR. */
export default definePlugin({
  name: '@example/plugin-near-pool',
  prefix: '/near-example/pool',
  summary: 'Staking with a NEAR pool: rewards are added to the stake, and unstaking takes four epochs.',
  maxFee: '0.7',
  coins: { mainnet: 'near' },
  intent: nearPool,
  codes: errorCodes,
  actions: { stake, unstake, 'unstake-all': unstakeAll, withdraw },
  balance,
  due,
  info,
  condition,
  moved,
  inspect,
  requirements: [],
})

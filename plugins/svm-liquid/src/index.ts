import { stake, unstake } from './actions.ts'
import { balance } from './balance.ts'
import { info } from './info.ts'
import { inspect } from './inspect.ts'
import { definePlugin, poolOf } from './network.ts'

/** An SPL stake pool on Solana: deposits mint its token, which is burnt for SOL or, when the reserve is too small, for a stake account. */
export default definePlugin({
  name: '@svc/plugin-svm-liquid',
  prefix: '/svm-one/liquid-b',
  summary: 'Liquid staking on the svm chain: a pool token whose price grows.',
  maxFee: '0.001',
  actions: { stake, unstake },
  balance,
  info,
  inspect,
  suits: (network) => void poolOf(network),
})

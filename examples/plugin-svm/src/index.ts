import { vouchers } from '@example/intent-vouchers'
import { deposit, redeem } from './actions.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { info, inspect } from './info.ts'
import { moved } from './moved.ts'
import { definePlugin } from './network.ts'

/** Vouchers: accounts of a program that hold lamports for whoever bought them. */
export default definePlugin({
  name: '@example/plugin-vouchers',
  prefix: '/svm-example/vouchers',
  summary: 'Vouchers of a program on Solana, bought and paid out at once.',
  maxFee: '0.01',
  codes: errorCodes,
  intent: vouchers,
  actions: { deposit, redeem },
  balance,
  moved,
  info,
  inspect,
})

import { moveNative } from '@svc/intent-move-native'
import { stake, unstake } from './actions.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { condition } from './condition.ts'
import { departed } from './departed.ts'
import { digests } from './digests.ts'
import { due } from './due.ts'
import examples from './examples.generated.json' with { type: 'json' }
import { info, inspect } from './info.ts'
import { book } from './ledger/book.ts'
import { moved } from './moved.ts'
import { definePlugin } from './network.ts'

/** Plugin for native staking on Sui: positions are objects, fungible or not, that are withdrawn in one transaction. */
export default definePlugin({
  name: '@svc/plugin-move-native',
  prefix: '/move-one/native',
  summary: 'Sui. Native staking, object by object.',
  maxFee: '0.5',
  intent: moveNative,
  coins: { mainnet: 'sui' },
  examples: examples,
  codes: errorCodes,
  actions: { stake, unstake },
  balance,
  book,
  departed,
  digests,
  info,
  condition,
  // The active set and its commissions change with the epoch, once a day; who asks to leave is remembered for the crafts between two readings.
  conditionMinutes: 60,
  moved,
  due,
  inspect,
})

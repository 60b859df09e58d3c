import { moves } from '@example/intent-moves'
import { move } from './actions.ts'
import { balance } from './balance.ts'
import { errorCodes } from './codes.ts'
import { info, inspect } from './info.ts'
import { moved } from './moved.ts'
import { definePlugin } from './network.ts'
import { requirements } from './requirements.ts'

/** Stake moves from one validator to another, without a pause in what it earns. */
export default definePlugin({
  name: '@example/plugin-moves',
  prefix: '/hub-example/moves',
  summary: 'Moves of stake from one validator to another, on a Cosmos chain.',
  maxFee: '0.1',
  symbol: 'ATOM',
  codes: errorCodes,
  intent: moves,
  actions: { move },
  balance,
  moved: (_network, receipt) => moved(receipt),
  info,
  inspect,
  requirements,
})

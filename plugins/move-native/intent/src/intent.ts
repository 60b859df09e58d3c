import { defineIntent } from '@svc/verify/intent'
import { move } from '@svc/verify/move'
import { stake, unstake } from './actions.ts'
import { describe } from './describe.ts'
import { functions } from './functions.ts'
import { terms } from './terms.ts'

/** Native staking on Sui: positions are objects, fungible or not, that are withdrawn in one transaction. */
export const moveNative = defineIntent({
  family: move,
  path: '/move-one/native',
  terms,
  actions: { stake, unstake },
  layouts: () => ({ functions }),
  describe,
})

import { defineIntent } from '@svc/verify/intent'
import { move } from '@svc/verify/move'
import { stake, unstake } from './actions.ts'
import { describe } from './describe.ts'
import { functions } from './functions.ts'
import { terms } from './terms.ts'

/** Intent of native staking on Sui: positions are objects, fungible or not, that are withdrawn in one transaction. */
export const moveNative = defineIntent({
  family: move,
  path: '/move-one/native',
  title: 'Native staking on Sui',
  /** The budget of a stake at 500 MIST, in the vectors of packages/verify/test. */
  usualFee: '0.02',
  nativeArguments: ['amounts'],
  terms,
  actions: { stake, unstake },
  layouts: () => ({ functions }),
  describe,
})

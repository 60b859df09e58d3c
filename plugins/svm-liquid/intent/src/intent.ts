import { defineIntent } from '@svc/verify/intent'
import { svm } from '@svc/verify/svm'
import { stake, unstake } from './actions.ts'
import { describe } from './describe.ts'
import { layouts } from './layouts.ts'
import { terms } from './terms.ts'

/** Intent of a stake pool on Solana: SOL for its token, and back. */
export const svmLiquid = defineIntent({
  family: svm,
  path: '/svm-one/liquid-b',
  title: 'A stake pool on Solana',
  /** The highest measured price made 22 times the fee of one signature, 0.00011 SOL (2026-11-22). */
  usualFee: '0.0001',
  nativeArguments: ['lamports'],
  terms,
  actions: { stake, unstake },
  layouts: (network) => ({ layouts: layouts(network) }),
  describe,
})

import { defineIntent } from '@svc/verify/intent'
import { svm } from '@svc/verify/svm'
import { closeNonceAccount, createNonceAccount, stake, unstake, withdraw } from './actions.ts'
import { describe } from './describe.ts'
import { layouts } from './layouts.ts'
import { terms } from './terms.ts'

/** Native staking on Solana: stake accounts that the wallet controls, delegated to one validator. */
export const svmNative = defineIntent({
  family: svm,
  path: '/svm-one/native',
  title: 'Native staking on Solana',
  /** The highest measured price made 22 times the fee of one signature, 0.00011 SOL (2026-11-22). */
  usualFee: '0.0001',
  nativeArguments: ['lamports'],
  terms,
  actions: {
    'create-nonce-account': createNonceAccount,
    stake,
    unstake,
    withdraw,
    'close-nonce-account': closeNonceAccount,
  },
  layouts: () => ({ layouts }),
  describe,
})

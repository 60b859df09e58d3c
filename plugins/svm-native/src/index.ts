import { svmNative } from '@svc/intent-svm-native'
import { closeNonceAccount } from './actions/close-nonce-account.ts'
import { createNonceAccount } from './actions/create-nonce-account.ts'
import { stake } from './actions/stake.ts'
import { unstake } from './actions/unstake.ts'
import { withdraw } from './actions/withdraw.ts'
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
import { requirements } from './requirements.ts'
import { stirrings } from './stirrings.ts'

/** Plugin for native staking on Solana: stake accounts that the wallet controls, delegated to one validator. */
export default definePlugin({
  name: '@svc/plugin-svm-native',
  prefix: '/svm-one/native',
  summary: 'Solana. Native staking with stake accounts, delegated to one validator.',
  maxFee: '0.001',
  intent: svmNative,
  coins: { 'mainnet-beta': 'solana' },
  examples: examples,
  actions: { 'create-nonce-account': createNonceAccount, stake, unstake, withdraw, 'close-nonce-account': closeNonceAccount },
  codes: errorCodes,
  balance,
  book,
  departed,
  moved,
  due,
  info,
  condition,
  // A commission counts from a later epoch on, which takes two days; whether the validator votes a craft reads for itself.
  conditionMinutes: 120,
  digests,
  stirrings,
  inspect,
  requirements,
})

import { createNonceAccount } from './actions/create-nonce-account.ts'
import { stake } from './actions/stake.ts'
import { unstake } from './actions/unstake.ts'
import { withdraw } from './actions/withdraw.ts'
import { balance } from './balance.ts'
import { info } from './info.ts'
import { inspect } from './inspect.ts'
import { definePlugin } from './network.ts'

/** Native staking on Solana: stake accounts that the wallet controls, delegated to one validator. */
export default definePlugin({
  name: '@svc/plugin-svm-native',
  prefix: '/svm-one/native',
  summary: 'Native staking with stake accounts, delegated to one validator.',
  maxFee: '0.001',
  actions: { 'create-nonce-account': createNonceAccount, stake, unstake, withdraw },
  balance,
  info,
  inspect,
})

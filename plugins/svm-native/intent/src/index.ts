export {
  closeNonceAccount,
  createNonceAccount,
  type NonceBalance,
  type NonceFacts,
  type StakeFacts,
  stake,
  unstake,
  type WithdrawalFacts,
  withdraw,
} from './actions.ts'
export { svmNative } from './intent.ts'
export { layouts } from './layouts.ts'
export { type Terms, terms } from './terms.ts'

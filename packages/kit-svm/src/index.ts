export { type AccountFeed, listenToAccounts } from './account-feed.ts'
export { type AccountState, type DataSlice, readAccounts, readFinalAccounts, readManyAccounts } from './accounts.ts'
export { SvmAddress } from './address.ts'
export { listOf, measureOf, memberOf } from './answers.ts'
export type { SvmClient } from './client.ts'
export { errorCodes as svmErrorCodes } from './codes.ts'
export { DECIMALS } from './decimals.ts'
export { type Deployment, readDeployment } from './deployment.ts'
export type { SvmDraft } from './draft.ts'
export { newEphemeralKey } from './ephemeral.ts'
export { EPOCH_SCHEDULE, type EpochSchedule, epochOf, readSchedule } from './epoch-schedule.ts'
export { type Epoch, readEpoch, readSlotSeconds } from './epochs.ts'
export type { ErrorTable, ProgramError } from './errors/table.ts'
export { svm } from './kit.ts'
export { lamportsOf } from './lamports.ts'
export { type InflationReward, readInflationRewards } from './ledger/inflation-rewards.ts'
export { type PlacedRecord, readRecords } from './ledger/records.ts'
export type { TransactionRecord } from './life/execution.ts'
export {
  type AccountChange,
  changeOf,
  gainOf,
  type RunInstruction,
  type StakeChange,
  type SvmReceipt,
  type TokenChange,
} from './life/receipt.ts'
export { type DurableNonce, heldNonce } from './nonce.ts'
export type { SvmPreflight } from './preflight.ts'
export { type AccountFilter, type AccountSearch, type FoundAccount, findAccounts } from './program-accounts.ts'
export { missingAccountFeed, SVM_NODE } from './requirements.ts'
export { malformed, NodeError } from './rpc.ts'
export { type SvmNetwork, type SvmSettings, svmSettings } from './settings.ts'
export { type CreditRow, readVoteAccounts, type VoteAccount } from './vote-accounts.ts'
export { assignedTo, walletPowers } from './wallet-owner.ts'
export { type SvmWire, svmWire } from './wire.ts'

import { declareErrors } from '@svc/contract'

/** Errors that this protocol can answer beside its kit's codes. */
export const { errorCodes, badGateway, badRequest } = declareErrors({
  INSUFFICIENT_STAKE: [400, 'The amount is above the active stake; pending stake cannot be undelegated.'],
  NOTHING_TO_CLAIM: [400, 'The address has no claimable rewards.'],
  NOTHING_TO_COMPOUND: [400, 'The rewards are below what the chain compounds.'],
  NOTHING_TO_WITHDRAW: [400, 'The withdrawal slot is not in use.'],
  RANGE_INVALID: [400, 'startWithdrawId is above endWithdrawId.'],
  SLOT_IN_USE: [400, 'The withdrawal slot is in use; choose another.'],
  STAKING_UNREADABLE: [502, 'The staking contract could not be read.'],
  VALIDATOR_INACTIVE: [400, "The operator's validator is not in the active set, or about to leave it, so that stake earns nothing there."],
  WITHDRAWAL_NOT_READY: [400, "The withdrawal slot's epoch has not come."],
})

import { declareErrors } from '@svc/contract'

/** Errors that this protocol can answer beside its kit's codes. */
export const { errorCodes, badGateway, badRequest } = declareErrors({
  AMOUNT_WORTHLESS: [400, 'The amount is less than the smallest part of a share is worth.'],
  BELOW_MINIMUM_WITHDRAWAL: [400, "The amount is below the pool's minimum of a redemption."],
  INSUFFICIENT_STAKE: [400, 'The amount is more than the position is worth.'],
  REQUEST_OPEN: [400, 'The address has an open redeem request, and may have one at a time.'],
  REQUEST_UNKNOWN: [400, 'The redeem request is not an open one of the address.'],
  VALIDATOR_INACTIVE: [400, "The operator's validator is not in the active set, or about to leave it, so that stake earns nothing there."],
  VAULT_PAUSED: [400, 'The pool is paused.'],
  VAULT_UNREADABLE: [502, "The pool's vault could not be read."],
  WITHDRAWAL_NOT_READY: [400, "The redeem request's time has not come."],
})

import { declareErrors } from '@svc/contract'

/** Errors that this protocol can answer besides its kit's codes. */
export const { errorCodes, badRequest } = declareErrors({
  INSUFFICIENT_STAKE: [400, 'The amount is above the stake that can move.'],
})

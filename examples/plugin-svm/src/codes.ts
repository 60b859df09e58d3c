import { declareErrors } from '@svc/contract'

/** Errors that this protocol can answer besides its kit's codes. */
export const { errorCodes, badRequest } = declareErrors({
  VOUCHERS_EXHAUSTED: [400, 'The wallet has as many vouchers as there can be.'],
  VOUCHER_OF_ANOTHER: [400, 'The voucher belongs to another wallet.'],
  VOUCHER_UNKNOWN: [400, 'There is no voucher at the address.'],
})

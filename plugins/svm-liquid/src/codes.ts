import { declareErrors } from '@svc/contract'

/** Errors that this protocol can answer beside its kit's codes, and those of the kit that it raises before the chain does. */
export const { errorCodes, badGateway, badRequest, unavailable } = declareErrors({
  INSUFFICIENT_TOKENS: [400, 'The amount is more than the pool tokens of the wallet.'],
  POOL_CLOSED: [400, 'The stake pool works only with a signature of its own.'],
  POOL_RESERVE_TOO_SMALL: [400, 'The reserve cannot pay the amount now, and it is worth too little to leave as a stake account.'],
  POOL_STAKE_TOO_SMALL: [400, 'The reserve cannot pay the amount now, and no validator of the pool has that much stake to give.'],
  POOL_UNREADABLE: [502, 'The stake pool could not be read, or is not the one of the settings.'],
  POOL_UPDATING: [503, 'The stake pool has not been brought up to date since the epoch began; try again.'],
})

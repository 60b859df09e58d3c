import { declareErrors } from '@svc/contract'

/** What this protocol can answer besides its kit's codes. */
export const { errorCodes, badRequest } = declareErrors({
  INSUFFICIENT_STAKE: [400, 'The amount is more than is staked.'],
  NOT_RELEASED: [400, 'What was taken out of stake is not free yet.'],
  NOTHING_STAKED: [400, 'The account has nothing staked with the pool.'],
  NOTHING_TO_WITHDRAW: [400, 'The account has nothing with the pool that could be withdrawn.'],
  POOL_IDLE: [400, 'The pool is not among the validators of the next epoch, so that stake would earn nothing.'],
  POOL_PAUSED: [400, 'The pool does not stake at present, so that stake would earn nothing.'],
})

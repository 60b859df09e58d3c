import { declareErrors } from '@svc/contract'

/** Errors that this protocol can answer beside its kit's codes. */
export const { errorCodes, badGateway, badRequest } = declareErrors({
  APPROVAL_REQUIRED: [400, "The operator's pool takes only delegations that somebody has approved."],
  DELEGATION_DISABLED: [400, "The operator's pool takes no delegations at present."],
  DELEGATION_PENDING: [400, 'Stake waits for the next epoch; nothing can be delegated, undelegated or compounded before.'],
  NOTHING_TO_CLAIM: [400, 'The address has no claimable rewards.'],
  NOTHING_TO_COMPOUND: [400, 'The address has no rewards to compound.'],
  NOTHING_TO_UNDELEGATE: [400, "The address has no stake with the operator's pool."],
  NOTHING_TO_WITHDRAW: [400, 'Nothing was undelegated that is not withdrawn.'],
  POOL_FULL: [400, "The operator's pool holds as much as the chain allows."],
  POOL_INACTIVE: [400, "The operator's validator is not active, so that stake earns nothing there."],
  POOL_LEAVING: [400, "The operator's validator is about to leave the network, so that stake earns nothing there."],
  POOL_OWNER: [400, 'The address owns the pool; its stake leaves with the validator.'],
  POOL_ROOM_EXCEEDED: [400, 'The amount is more than the pool still takes.'],
  POOL_UNKNOWN: [
    502,
    "The operator's pool is not registered on this chain, its node says: a fault of the service's settings, or of the node.",
  ],
  STAKING_PAUSED: [400, 'The staking contract is paused.'],
  STAKING_UNREADABLE: [502, 'The staking contract could not be read.'],
  UNDELEGATION_PENDING: [400, 'An exit was requested and must be withdrawn first.'],
  WITHDRAWAL_NOT_READY: [400, 'The withdraw window has not passed.'],
})

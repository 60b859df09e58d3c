import { type ServiceError, tokensText } from '@svc/contract'
import { closedness, idleness, type OpenAnswers, type StateAnswers } from '../chain/obstacle.ts'
import { badGateway, badRequest } from '../codes.ts'

/** Refuses a pool by the state of its validator. @throws 400 POOL_LEAVING, POOL_INACTIVE for a pool in which stake would earn nothing */
export function refuseState(state: StateAnswers): void {
  const idle = idleness(state)
  if (idle) throw badRequest(idle.code, `The operator's validator ${idle.reason}, so that stake earns nothing there.`)
}

/** Refuses a pool that is closed. @throws 400 DELEGATION_DISABLED, APPROVAL_REQUIRED for a pool that takes no delegations but its owner's */
export function refuseClosed(open: OpenAnswers): void {
  const closed = closedness(open)
  if (closed) throw badRequest(closed.code, `The operator's pool ${closed.reason}.`)
}

/** Makes the refusal for a pool of the operator that is not on the chain. */
export function unknownPool(id: string): ServiceError {
  return badGateway(
    'POOL_UNKNOWN',
    `The operator's pool ${id} is not registered on this chain, its node says: the operator has to mend that.`,
  )
}

/** Formats an amount in wei with its symbol, PROS. */
export const pros = (wei: bigint): string => tokensText(wei, { decimals: 18, symbol: 'PROS' })

/** Makes the refusal of a request while the contract is paused. */
export function pausedStaking(): ServiceError {
  return badRequest(
    'STAKING_PAUSED',
    "The chain's staking contract is paused: until it is resumed, only what was undelegated and is due can be withdrawn.",
  )
}

/** Makes the refusal of a request that stake waiting for its epoch prevents. @param what cannot be done, as `delegated` */
export function waitingStake(waiting: bigint, activation: bigint, epoch: bigint, what: string): ServiceError {
  return badRequest(
    'DELEGATION_PENDING',
    `${pros(waiting)} waits for epoch ${activation}, and nothing more can be ${what} before; it is epoch ${epoch}.`,
  )
}

/** Makes the refusal of a stake before a requested exit is withdrawn. */
export function requestedExit(address: string): ServiceError {
  return badRequest('UNDELEGATION_PENDING', `${address} has undelegated; the exit must be withdrawn before anything else is staked.`)
}

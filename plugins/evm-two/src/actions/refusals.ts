import { formatAmount, type ServiceError } from '@svc/contract'
import type { Answers } from '@svc/kit-evm'
import { earns } from '../chain/pool.ts'
import { answered } from '../chain/staking.ts'
import { badRequest } from '../codes.ts'

/** What is known of whether stake earns in a pool. */
export type StateAnswers = Answers<{ readonly active: boolean; readonly joining: boolean; readonly leaving: boolean }>

/** @throws 400 POOL_LEAVING, POOL_INACTIVE for a pool in which stake would earn nothing */
export function refuseState(state: StateAnswers): void {
  const [active, joining, leaving] = [answered(state.active), answered(state.joining), answered(state.leaving)]
  if (earns({ active, leaving })) return
  if (leaving)
    throw badRequest('POOL_LEAVING', "The operator's validator is about to leave the network, so that stake earns nothing there.")
  const why = joining ? 'waits to join the network and is not active yet' : 'is not active'
  throw badRequest('POOL_INACTIVE', `The operator's validator ${why}, so that stake earns nothing there.`)
}

/** The contract is paused. */
export function pausedStaking(): ServiceError {
  return badRequest(
    'STAKING_PAUSED',
    "The chain's staking contract is paused: until it is resumed, only what was undelegated and is due can be withdrawn.",
  )
}

/** Stake that waits for its epoch stands in the way of most that can be done. @param what cannot be done, as `delegated` */
export function waitingStake(waiting: bigint, activation: bigint, epoch: bigint, what: string): ServiceError {
  return badRequest(
    'DELEGATION_PENDING',
    `${formatAmount(waiting, 18)} waits for epoch ${activation}, and nothing more can be ${what} before; it is epoch ${epoch}.`,
  )
}

/** An exit that was requested has to be withdrawn before anything is staked again. */
export function requestedExit(address: string): ServiceError {
  return badRequest('UNDELEGATION_PENDING', `${address} has undelegated; the exit must be withdrawn before anything else is staked.`)
}

import type { Obstacle } from '@svc/contract'
import type { Answer, Answers } from '@svc/kit-evm'
import { ZeroAddress } from 'ethers'
import type { StakingNetwork } from '../network.ts'
import { earns } from './pool.ts'
import { answered, staking } from './staking.ts'

/** Known facts on whether stake earns in a pool. */
export type StateAnswers = Answers<{ readonly active: boolean; readonly joining: boolean; readonly leaving: boolean }>

/** Known facts on whether a pool takes delegations of others than its owner. */
export interface OpenAnswers {
  readonly enabled: Answer<boolean>
  /** Address that has to approve delegations. A version of the contract without approvers does not have this call: then nobody has to. */
  readonly approver: Answer<string>
}

/** Obstacle of a pool in which nothing can be done but to withdraw an exit that is due. */
export const PAUSED: Obstacle = { state: 'paused', reason: 'is under a staking contract that is paused' }

/** Makes the questions whether the pool takes delegations. */
export function askOpen({ staking: to, pool_id }: StakingNetwork) {
  return {
    enabled: staking.question(to, 'delegationEnabledMapping', [pool_id]),
    approver: staking.question(to, 'getDelegationApprover', [pool_id]),
  }
}

/** Returns the reason why the pool takes only its owner's delegations; null where it takes others'. */
export function closedness({
  enabled,
  approver,
}: OpenAnswers): (Obstacle & { readonly code: 'APPROVAL_REQUIRED' | 'DELEGATION_DISABLED' }) | null {
  if (!answered(enabled)) return { state: 'paused', reason: 'takes no delegations at present', code: 'DELEGATION_DISABLED' }
  if (!approver.ok || approver.value === ZeroAddress) return null
  return { state: 'paused', reason: `takes only delegations that ${approver.value} has approved`, code: 'APPROVAL_REQUIRED' }
}

/** Returns the reason why stake earns nothing in the pool; null where it earns. Not to be used while the contract is paused, since it gives no answer then. */
export function idleness(state: StateAnswers): (Obstacle & { readonly code: 'POOL_INACTIVE' | 'POOL_LEAVING' }) | null {
  const [active, joining, leaving] = [answered(state.active), answered(state.joining), answered(state.leaving)]
  if (earns({ active, leaving })) return null
  if (leaving) return { state: 'left', reason: 'is about to leave the network', code: 'POOL_LEAVING' }
  const reason = joining ? 'waits to join the network and is not active yet' : 'is not active'
  return { state: 'inactive', reason, code: 'POOL_INACTIVE' }
}

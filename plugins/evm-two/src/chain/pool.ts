import { type Question, readAmount } from '@svc/kit-evm'
import type { StakingNetwork } from '../network.ts'
import { staking } from './staking.ts'

/** A validator's pool. */
interface Pool {
  readonly exists: boolean
  readonly owner: string
  /** Wei, with what begins to count in the next epoch. */
  readonly totalStake: bigint
}

/** Makes the question for a pool. */
export function askPool({ staking: to }: StakingNetwork, pool: string): Question<Pool> {
  return staking.question(to, 'getValidator', [pool], (it) => ({
    exists: BigInt(it.poolId) !== 0n,
    owner: it.owner,
    totalStake: readAmount(it.totalStake),
  }))
}

/** Makes the questions whether stake earns in the pool; a paused contract does not answer them. */
export function askState({ staking: to, pool_id }: StakingNetwork) {
  return {
    active: staking.question(to, 'isValidatorActive', [pool_id]),
    joining: staking.question(to, 'isValidatorPendingAdd', [pool_id]),
    leaving: staking.question(to, 'isValidatorPendingExit', [pool_id]),
  }
}

/** Tells whether stake earns in the pool from the next epoch on. The actions and the shown rate use this one rule. */
export function earns({ active, leaving }: { readonly active: boolean; readonly leaving: boolean }): boolean {
  return active && !leaving
}

/** Computes the amount that the pool still takes, in wei. */
export function roomOf(pool: Pool, cap: bigint): bigint {
  return cap > pool.totalStake ? cap - pool.totalStake : 0n
}

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

/** Asks for a pool. */
export function askPool({ staking: to }: StakingNetwork, pool: string): Question<Pool> {
  return staking.question(to, 'getValidator', [pool], (it) => ({
    exists: BigInt(it.poolId) !== 0n,
    owner: it.owner,
    totalStake: readAmount(it.totalStake),
  }))
}

/** Asks whether stake earns in the pool; a paused contract does not say. */
export function askState({ staking: to, pool_id }: StakingNetwork) {
  return {
    active: staking.question(to, 'isValidatorActive', [pool_id]),
    joining: staking.question(to, 'isValidatorPendingAdd', [pool_id]),
    leaving: staking.question(to, 'isValidatorPendingExit', [pool_id]),
  }
}

/** Tells whether stake earns in the pool from the next epoch on. This is the one rule for what is staked and for the rate that is shown. */
export function earns({ active, leaving }: { readonly active: boolean; readonly leaving: boolean }): boolean {
  return active && !leaving
}

/** Wei that the pool still takes. */
export function roomOf(pool: Pool, cap: bigint): bigint {
  return cap > pool.totalStake ? cap - pool.totalStake : 0n
}

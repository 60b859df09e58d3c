import { addStake, depositRewards, type Pool, processPending } from './pool.ts'
import type { State, Validator } from './state.ts'
import { giveStake, writeRate } from './validators.ts'

/** Basis points of a whole. */
const whole = 10_000n

/**
 * Ends an epoch in the chain's order: rewards first, of which the commission is staked for the validator; then pending withdrawals, then pending stake at the rate of the
 * rest; then the new epoch's rate is written; then announced commissions take effect, and validators that asked to leave do.
 *
 * @see MystenLabs/sui validator_set.move `advance_epoch` (read 2026-11-21)
 */
export function endEpoch(state: State, next: { epoch: bigint; version: bigint }): void {
  for (const validator of state.activeSet()) {
    const pool = processPending(reward(state, validator, state.pools.existing(validator.poolId), next))
    writeRate(state, pool, next.epoch, pool, next.version)
    state.pools.set(pool.id, validator.leaving ? { ...pool, deactivationEpoch: next.epoch } : pool)
    if (!validator.leaving) {
      state.validators.set(validator.address, { ...validator, commissionBps: validator.nextCommissionBps })
      continue
    }
    state.validators.delete(validator.address)
    state.inactive.set(pool.id, { ...validator, leaving: false })
  }
}

function reward(state: State, validator: Validator, pool: Pool, next: { epoch: bigint; version: bigint }): Pool {
  const commission = (validator.rewardPerEpoch * validator.commissionBps) / whole
  // A pool in which nobody has stake earns nothing: there is nobody to earn it.
  if (pool.sui === 0n) return pool
  const paid = depositRewards(pool, validator.rewardPerEpoch - commission)
  if (commission === 0n) return paid
  giveStake(state, {
    to: validator.address,
    poolId: pool.id,
    principal: commission,
    activationEpoch: next.epoch,
    version: next.version,
  })
  return addStake(paid, commission)
}

import { type Condition, conditionOf, formatAmount } from '@svc/contract'
import { termsOf } from '@svc/contract/control'
import { readStakingParams, readValidator } from './chain.ts'
import type { StakingContext } from './network.ts'
import { obstacleOf } from './obstacle.ts'
import { percent } from './rates.ts'

/** A share of the rewards is in parts of 1e18: a percent is 1e16. */
const PERCENT_DECIMALS = 16

/**
 * Reads the state of the operator's validator, its commission, and the rules of the chain's staking.
 *
 * @param prefix of the chain's addresses
 * @throws 502, 503, 504
 */
export async function stakingCondition(ctx: StakingContext, prefix: string): Promise<readonly Condition[]> {
  const [validator, params] = await Promise.all([readValidator(ctx), readStakingParams(ctx, { afresh: true })])
  const obstacle = await obstacleOf(ctx, prefix, validator)
  const { commission } = validator
  const { unbondingTime, maxEntries, minCommissionRate: least } = params
  const terms = [
    ...termsOf('fee', { commission: formatAmount(commission, PERCENT_DECIMALS) }),
    ...termsOf('rule', {
      unbonding_time: `${unbondingTime.seconds} seconds`,
      unbonding_entries: String(maxEntries),
      least_commission: least === '' ? undefined : `${formatAmount(BigInt(least), PERCENT_DECIMALS)} percent`,
    }),
  ]
  return [conditionOf({ kind: 'validator', id: ctx.network.validator, commissionPercent: percent(commission), terms }, obstacle)]
}

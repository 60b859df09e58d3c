import { type Condition, conditionOf } from '@svc/contract'
import { readValidator } from './chain.ts'
import type { StakingContext } from './network.ts'
import { obstacleOf } from './obstacle.ts'
import { percent } from './rates.ts'

/** The state of the operator's validator. @param prefix of the chain's addresses @throws 502, 503, 504 */
export async function stakingCondition(ctx: StakingContext, prefix: string): Promise<readonly Condition[]> {
  const validator = await readValidator(ctx)
  const obstacle = await obstacleOf(ctx, prefix, validator)
  return [conditionOf({ kind: 'validator', id: ctx.network.validator, commissionPercent: percent(validator.commission) }, obstacle)]
}

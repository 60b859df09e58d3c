import { type Condition, conditionOf } from '@svc/contract'
import { readFee, readObstacle } from './chain.ts'
import type { PoolContext } from './network.ts'

/** The state of the pool, by the rule that refuses stake. */
export async function condition(ctx: PoolContext): Promise<readonly Condition[]> {
  const [obstacle, commissionPercent] = await Promise.all([readObstacle(ctx), readFee(ctx)])
  return [conditionOf({ kind: 'pool', id: ctx.network.pool, commissionPercent }, obstacle)]
}

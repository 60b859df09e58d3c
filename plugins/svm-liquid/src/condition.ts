import { type Condition, conditionOf } from '@svc/contract'
import { obstacleOf } from './chain/pool.ts'
import { readPoolState } from './chain/pool-state.ts'
import { type LiquidContext, poolOf } from './network.ts'
import { percentOf } from './yield.ts'

/**
 * The state of the pool. A validator that deposits are directed to is none of it: what a deposit earns is the pool's price.
 *
 * @throws 502 POOL_UNREADABLE; 502, 503, 504
 */
export async function condition(ctx: LiquidContext): Promise<readonly Condition[]> {
  const { record } = await readPoolState(ctx, [])
  return [conditionOf({ kind: 'pool', id: poolOf(ctx.network).pool, commissionPercent: percentOf(record.epochFee) }, obstacleOf(record))]
}

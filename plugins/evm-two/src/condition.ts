import { type Condition, conditionOf } from '@svc/contract'
import { unknownPool } from './actions/refusals.ts'
import { askOpen, closedness, idleness, PAUSED } from './chain/obstacle.ts'
import { askPool, askState } from './chain/pool.ts'
import { answered, ask, askPaused, staking } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/** The commission is in hundredths of a percent. */
const PERCENT = 100

/** The state of the operator's pool, to anybody but its owner. @throws 502 POOL_UNKNOWN, STAKING_UNREADABLE; 502, 503, 504 */
export async function condition(ctx: StakingContext): Promise<readonly Condition[]> {
  const { network } = ctx
  const { staking: to, pool_id: id } = network
  const answers = await ask(ctx, {
    pool: askPool(network, id),
    commission: staking.question(to, 'getCommissionRate', [id]),
    paused: askPaused(network),
    ...askOpen(network),
    ...askState(network),
  })
  if (!answered(answers.pool).exists) throw unknownPool(id)
  const obstacle = answered(answers.paused) ? PAUSED : (closedness(answers) ?? idleness(answers))
  return [conditionOf({ kind: 'validator', id, commissionPercent: Number(answered(answers.commission)) / PERCENT }, obstacle)]
}

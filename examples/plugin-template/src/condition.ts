import { type Condition, conditionOf } from '@svc/contract'
import { askAll, askClosed, obstacleOf } from './chain.ts'
import type { SavingsContext } from './network.ts'

/** The state of the vault, by the rule that refuses deposits. */
export async function condition(ctx: SavingsContext): Promise<readonly Condition[]> {
  const [closed] = await askAll(ctx, [askClosed(ctx.network)])
  return [conditionOf({ kind: 'pool', id: ctx.network.vault, commissionPercent: null }, obstacleOf(closed))]
}

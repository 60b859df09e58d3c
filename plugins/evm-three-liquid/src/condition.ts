import { type Condition, conditionOf } from '@svc/contract'
import { validatorCondition } from '@svc/kit-evm/monad'
import { askLimits, limitsOf, obstacleOfPool } from './chain/pool.ts'
import { validators } from './chain/validators.ts'
import { answered, ask, vault } from './chain/vault.ts'
import type { LiquidContext } from './network.ts'

/** The pool's fee on rewards is in hundredths of a percent. */
const PERCENT = 100

/** The state of the pool, and of the validator where deposits go to a single one. */
export async function condition(ctx: LiquidContext): Promise<readonly Condition[]> {
  const { vault: id, validator_id } = ctx.network
  const questions = askLimits(ctx)
  const [answers, validator] = await Promise.all([
    ask(ctx, { ...questions, fee: vault.question(id, 'rewardsFee', []) }),
    validator_id === undefined ? null : validators.current(ctx, validator_id),
  ])
  const obstacle = obstacleOfPool(await limitsOf(ctx, questions, answers))
  const pool = conditionOf({ kind: 'pool', id, commissionPercent: Number(answered(answers.fee)) / PERCENT }, obstacle)
  return validator && validator_id !== undefined ? [pool, validatorCondition(validator_id, validator)] : [pool]
}

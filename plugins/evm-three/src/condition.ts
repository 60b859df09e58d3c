import type { Condition } from '@svc/contract'
import { validatorCondition } from '@svc/kit-evm/monad'
import { validators } from './chain/staking.ts'
import type { StakingContext } from './network.ts'

/** Reads the state of the operator's validator. */
export async function condition(ctx: StakingContext): Promise<readonly Condition[]> {
  const { validator_id } = ctx.network
  return [validatorCondition(validator_id, await validators.current(ctx, validator_id))]
}

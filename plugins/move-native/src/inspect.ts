import { SettingsError } from '@svc/contract'
import { operatorOf } from './info.ts'
import type { StakingContext } from './network.ts'

/** @throws a sentence when the operator's validator is not in the active set */
export async function inspect(ctx: StakingContext): Promise<void> {
  const state = await ctx.client.systemState()
  if (operatorOf(ctx, state)) return
  throw new SettingsError(
    `validator ${ctx.network.validator} is not in the active set of ${state.validators.length} in epoch ${state.epoch}; stakes with it would be refused.`,
  )
}

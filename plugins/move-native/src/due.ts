import type { Balance } from '@svc/contract'
import type { StakingContext } from './network.ts'

/** Time that the first checkpoints of an epoch may take to reach a node, and the change of epochs itself, in milliseconds: a minute is rather late. */
const SETTLING_MS = 60_000

/** Returns the time at which the next stake becomes active, by the length of epochs. Nothing else changes by itself. @throws 502, 503, 504 */
export async function due(ctx: StakingContext, _address: string, { objects }: Balance): Promise<Date | null> {
  const epochs = (objects ?? []).flatMap(({ status, activationEpoch }) =>
    status === 'activating' && activationEpoch !== null ? [activationEpoch] : [],
  )
  if (epochs.length === 0) return null
  const state = await ctx.client.exchange(({ systemState }) => systemState())
  const first = BigInt(Math.min(...epochs))
  const begins = Number(state.epochStartMs + state.epochDurationMs * (first - state.epoch)) + SETTLING_MS
  // An epoch that should have ended lasts longer, such as when the chain stands still.
  return new Date(Math.max(begins, ctx.now().getTime() + SETTLING_MS))
}
